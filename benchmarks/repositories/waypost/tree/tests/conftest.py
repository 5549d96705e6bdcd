import pytest

from waypost import App


@pytest.fixture
def app():
    app = App()

    @app.get("/", name="home")
    def home(request):
        return "welcome"

    @app.get("/users/<int:id>", name="user")
    async def user(request, id):
        return {"id": id}

    @app.post("/users", name="create")
    def create(request):
        return request.json(), 201, {"Location": "/users/1"}

    return app
