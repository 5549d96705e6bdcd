from .framework import App, HTTPError

app = App()
BOOKS = {"1": "Emma", "2": "Persuasion"}


@app.route("/books")
def books(request):
    wanted = request.query.get("q", "").lower()
    return [title for title in BOOKS.values() if wanted in title.lower()]


@app.route("/books/<number>")
def book(request, number):
    if number not in BOOKS:
        raise HTTPError(404)
    return {"title": BOOKS[number]}


@app.route("/books", method="POST")
def add_book(request):
    return {"added": request.query["title"]}
