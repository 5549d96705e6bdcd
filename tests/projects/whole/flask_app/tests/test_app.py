from helpdesk import create_app


def test_defaults():
    app = create_app()
    assert app.config["PAGE_SIZE"] == 20
    assert not app.testing


def test_an_unknown_page_is_told_as_json(client):
    response = client.get("/nowhere")
    assert response.status_code == 404
    assert "not found" in response.json["error"]


def test_a_method_that_is_not_allowed(client):
    response = client.delete("/tickets")
    assert response.status_code == 405
    assert "error" in response.json
