from .views import app
