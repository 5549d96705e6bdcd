"""How a model's full name is read, and where its service and keys are found."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from regreen.cli.show_doctor import models_table
from regreen.config import Settings
from regreen.environment import address, secrets
from regreen.errors import ConfigError
from regreen.models.provider_status import ProviderStatus, provider_statuses
from regreen.models.providers import (
    NAMELESS,
    PROVIDERS,
    Provider,
    base_url_of,
    find_endpoint,
    require_modules,
    split_name,
)

DOCUMENT = Path(__file__).parents[3] / "docs" / "models.md"


@pytest.mark.parametrize(
    ("name", "provider", "model"),
    [
        ("openai:gpt-5-mini", "openai", "gpt-5-mini"),
        ("openai/gpt-5-mini", "openai", "gpt-5-mini"),
        ("OpenAI:gpt-5-mini", "openai", "gpt-5-mini"),
        ("ollama:qwen2.5-coder:7b", "ollama", "qwen2.5-coder:7b"),
        ("openrouter/openai/gpt-5", "openrouter", "openai/gpt-5"),
        ("huggingface:Qwen/Qwen3-8B:together", "huggingface", "Qwen/Qwen3-8B:together"),
        ("local:./folder/with:colon", "local", "./folder/with:colon"),
        ("scripted:C:\\x.toml", "scripted", "C:\\x.toml"),
        ("anthropic:claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"),
    ],
)
def test_a_name_is_split_once_after_a_known_provider(name: str, provider: str, model: str) -> None:
    """What follows the first separator is the model's own name, whatever it holds."""
    found, rest = split_name(name)
    assert (found.name, rest) == (provider, model)


@pytest.mark.parametrize("name", ["Qwen/Qwen3-8B", "small", "my:model", ":x", "/x", "org/name:tag"])
def test_a_name_without_a_provider_is_taken_whole_by_a_service_of_ones_own(name: str) -> None:
    """With --base-url there is no need for a provider; without it, there is."""
    assert split_name(name, base_url="http://127.0.0.1:1/v1") == (NAMELESS, name)
    with pytest.raises(ConfigError, match="names no provider"):
        split_name(name)


@given(st.sampled_from(sorted(PROVIDERS)), st.sampled_from(":/"), st.text(min_size=1).filter(str.strip))
def test_any_model_of_any_provider_can_be_named(provider: str, separator: str, model: str) -> None:
    """No model's name is mistaken for something else."""
    found, rest = split_name(f"{provider}{separator}{model}")
    assert (found.name, rest) == (provider, model.strip())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("opnai:gpt-5", "Did you mean openai:gpt-5?"),
        ("opnai/gpt-5", "Did you mean openai:gpt-5?"),
        ("HuggingFaceTB/SmolLM2-135M-Instruct", "in this process as local:HuggingFaceTB/SmolLM2-135M-Instruct,"),
        ("gpt-5-mini", "Write provider:model with one of openai, together,"),
        ("openai:", "names no model"),
        ("", "names no model"),
    ],
)
def test_a_name_that_cannot_be_used_says_what_can(name: str, said: str) -> None:
    """A slip is met with the closest provider."""
    with pytest.raises(ConfigError, match=re.escape(said)):
        split_name(name)


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    """The variables that may hold it, and where."""
    with pytest.raises(ConfigError, match=r"no key for Hugging Face.*HF_TOKEN or HF_API_TOKEN.* or in \.env"):
        find_endpoint(Settings(model="huggingface:x"), environ={}, folder=tmp_path)


def test_a_service_that_stands_in_for_a_provider_needs_no_key(tmp_path: Path) -> None:
    """A proxy or a test server at another address may ask for none."""
    settings = Settings(model="openai:x", base_url="http://127.0.0.1:1/v1")
    assert find_endpoint(settings, environ={}, folder=tmp_path).keys == ()


def test_keys_come_from_the_environment_before_the_file(tmp_path: Path) -> None:
    """Separated by commas, without blanks and without doubles; an empty variable is none."""
    (tmp_path / ".env").write_text("A=from-file\nexport B='x, y ,,x'\n", encoding="utf-8")
    assert secrets(("A",), environ={"A": "one,two"}, folder=tmp_path) == ("one", "two")
    assert secrets(("A",), environ={"A": " "}, folder=tmp_path) == ("from-file",)
    assert secrets(("Z", "B"), environ={}, folder=tmp_path) == ("x", "y")
    assert secrets(("Z",), environ={}, folder=tmp_path) == ()


def test_a_file_of_keys_picks_nothing_out_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project's .env cannot send another secret to a service in place of a key."""
    monkeypatch.setenv("OTHER_SECRET", "secret")
    (tmp_path / ".env").write_text("A=${OTHER_SECRET}\n", encoding="utf-8")
    assert secrets(("A",), environ={}, folder=tmp_path) == ("${OTHER_SECRET}",)


def test_a_broken_file_of_keys_is_named(tmp_path: Path) -> None:
    """Bytes that are no text are an error, not silence; a folder of that name is no file."""
    (tmp_path / ".env").write_bytes(b"A=\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"\.env cannot be read"):
        secrets(("A",), environ={}, folder=tmp_path)
    (tmp_path / "x" / ".env").mkdir(parents=True)
    assert secrets(("A",), environ={}, folder=tmp_path / "x") == ()


def test_a_project_cannot_choose_where_keys_are_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses come from the environment alone."""
    (tmp_path / ".env").write_text("OPENAI_BASE_URL=http://evil.example/v1\nOPENAI_API_KEY=k\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    endpoint = find_endpoint(Settings(model="openai:x"), environ={}, folder=tmp_path)
    assert (endpoint.base_url, endpoint.keys) == ("https://api.openai.com/v1", ("k",))
    assert address(("A", "B"), environ={"A": "", "B": " there "}) == "there"


@pytest.mark.parametrize(
    ("found", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("gpu-box", "http://gpu-box:11434/v1"),
        ("gpu-box:1234", "http://gpu-box:1234/v1"),
        (":1234", "http://127.0.0.1:1234/v1"),
        ("[::]:1234", "http://[::1]:1234/v1"),
        ("https://ollama.example/", "https://ollama.example/v1"),
        ("http://gpu-box:80/api/v1/", "http://gpu-box:80/api/v1"),
    ],
)
def test_every_form_of_ollamas_address_is_understood(found: str, url: str) -> None:
    """OLLAMA_HOST is what Ollama itself takes: a host, a port, both or an address."""
    assert base_url_of(PROVIDERS["ollama"], environ={"OLLAMA_HOST": found}) == url


@pytest.mark.parametrize("provider", [p for p in PROVIDERS.values() if p.addresses], ids=lambda p: p.name)
def test_an_address_by_hand_comes_before_the_variables_and_those_before_our_own(provider: Provider) -> None:
    """--base-url, then the first variable, then the table."""
    environ = {name: f"http://{number}.example/v1" for number, name in enumerate(provider.addresses)}
    assert base_url_of(provider, "http://by.hand/v1/", environ=environ) == "http://by.hand/v1"
    assert base_url_of(provider, environ=environ) == "http://0.example/v1"
    assert base_url_of(provider, environ={}) == provider.base_url


@pytest.mark.parametrize("url", ["ftp://x/v1", "nonsense", "http://", "http://[", "http://x:99999/v1", "file:///etc"])
def test_an_address_that_cannot_be_one_is_refused(url: str) -> None:
    """Nothing has been sent yet."""
    with pytest.raises(ConfigError, match="cannot be used"):
        base_url_of(PROVIDERS["openai"], url)


def test_a_password_in_an_address_is_not_shown() -> None:
    """Messages name the place without user and password."""
    endpoint = find_endpoint(Settings(model="x", base_url="http://me:pass-word@host:1/v1"), environ={})
    assert endpoint.display_url == "http://host:1/v1"
    with pytest.raises(ConfigError) as raised:
        base_url_of(PROVIDERS["openai"], "ftp://me:pass-word@host/v1")
    assert "pass-word" not in str(raised.value)


def test_a_missing_extra_is_named_with_the_command_that_brings_it() -> None:
    """The reader need not know which packages those are."""
    provider = Provider("anthropic", "", modules=("no_such_module_here",), extra="anthropic")
    with pytest.raises(ConfigError, match=r"no_such_module_here.*pip install 'regreen\[anthropic\]'"):
        require_modules(provider)


def test_the_survey_tells_what_is_there_and_no_key(tmp_path: Path) -> None:
    """Every provider has a line; a key is counted and never shown."""
    (tmp_path / ".env").write_text("GROQ_API_KEY=gsk-very-secret-key,gsk-other-secret-key\n", encoding="utf-8")
    environ = {"OPENAI_API_KEY": "sk-very-secret-key", "OLLAMA_HOST": "127.0.0.1:9", "VLLM_BASE_URL": "nonsense"}
    found = {standing.provider: standing for standing in provider_statuses(environ=environ, folder=tmp_path)}
    assert set(found) == set(PROVIDERS)
    assert (found["openai"].ready, found["openai"].detail) == (True, "a key is set")
    assert found["groq"].detail == "2 keys are set"
    assert (found["together"].ready, found["together"].detail) == (False, "no key: set TOGETHER_API_KEY")
    assert (found["ollama"].ready, found["ollama"].detail) == (False, "nobody listens at 127.0.0.1:9")
    assert not found["vllm"].ready
    assert "secret" not in str(found)


def test_the_survey_is_shown_as_a_table() -> None:
    """One line a provider, with control characters made visible."""
    file = io.StringIO()
    standings = [
        ProviderStatus("openai", "OpenAI", True, "a key is set"),
        ProviderStatus("groq", "Groq", False, "no \x1b[31mkey"),
    ]
    Console(file=file, width=100).print(models_table(standings))
    lines = [transport.split() for transport in file.getvalue().splitlines()]
    assert lines[1] == ["openai", "yes", "a", "key", "is", "set"]
    assert lines[2][:2] == ["groq", "no"]
    assert "\x1b[31m" not in file.getvalue()


def test_the_documentation_lists_every_provider_as_it_is() -> None:
    """Names, addresses and variables of the table in docs/models.md are those of the code."""
    rows = re.findall(r"^\| `(\w+):` \| (.*?) \| (.*?) \| (.*?) \|$", DOCUMENT.read_text(encoding="utf-8"), re.M)
    documented = {name: (title, url.strip("`"), tuple(re.findall(r"`(\w+)`", keys))) for name, title, url, keys in rows}
    assert documented == {p.name: (p.title, p.base_url or "-", p.keys) for p in PROVIDERS.values()}
