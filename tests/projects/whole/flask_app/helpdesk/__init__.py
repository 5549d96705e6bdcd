"""A small help desk: tickets over HTTP, kept in SQLite."""

from flask import Flask

from . import database, errors, tickets


def create_app(config=None):
    app = Flask(__name__)
    app.config.from_object("helpdesk.config.Default")
    if config is not None:
        app.config.from_mapping(config)

    database.init_app(app)
    errors.init_app(app)
    app.register_blueprint(tickets.bp)

    @app.get("/health")
    def health():
        return {"status": "ok"}

    return app
