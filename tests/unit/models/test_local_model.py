"""Real models of transformers, made from a configuration and tiny: loading, prompts, batches, samples, faults."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regreen.config import Settings
from regreen.errors import ConfigError, ContextTooLong, ModelError, ToolsUnsupported
from regreen.models.contract import Finish, Message, Request, Tool, ToolCall
from regreen.models.local import open_local

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

from regreen.models.local.batching import OutOfMemory  # noqa: E402
from regreen.models.local.decoding import BatchDecoder  # noqa: E402
from regreen.models.local.generation import BatchRow, GenerationRequest  # noqa: E402
from regreen.models.local.loading import load_model  # noqa: E402
from regreen.models.local.local_model import LocalModel, open_engine  # noqa: E402
from regreen.models.local.model_name import parse_model_name  # noqa: E402
from regreen.models.local.prompting import PromptRenderer  # noqa: E402
from regreen.models.local.sampling import SamplingFilter, choose_tokens  # noqa: E402

MARKS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = """\
{%- if tools %}<|im_start|>system
Answer <tool_call>{"name": ..., "arguments": ...}</tool_call>{% for tool in tools %}{{ tool | tojson }}{% endfor %}
<|im_end|>
{% endif %}{% for turn in messages %}<|im_start|>{{ turn.role }}
{{ turn.content }}{% for call in turn.tool_calls or [] %}<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}
<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
STRICT_TEMPLATE = """\
{%- for turn in messages %}{% if (turn.role == 'user') != (loop.index0 % 2 == 0) %}\
{{ raise_exception('Roles must alternate') }}{% endif %}[{{ turn.role }}] {{ turn.content }}
{% endfor %}"""
RUN = Tool("run", "Run code.", {"type": "object", "properties": {"code": {"type": "string"}}})


def make_tokenizer() -> Any:
    """A small one, learnt from this file."""
    inner = tokenizers.Tokenizer(tokenizers.models.BPE())
    inner.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=500, special_tokens=MARKS, initial_alphabet=alphabet, show_progress=False
    )
    inner.train_from_iterator([Path(__file__).read_text(encoding="utf-8")], trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def make_model(tokenizer: Any, **shape: Any) -> Any:
    """A small Qwen2 with random weights, far enough apart that no two tokens are equally likely."""
    torch.manual_seed(0)
    sizes = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4)
    config = transformers.Qwen2Config(
        vocab_size=len(tokenizer),
        num_key_value_heads=2,
        max_position_embeddings=512,
        initializer_range=0.4,
        eos_token_id=tokenizer.eos_token_id,
        **{**sizes, **shape},
    )
    return transformers.Qwen2ForCausalLM(config)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a download leaves it."""
    folder = tmp_path_factory.mktemp("tiny")
    transformers.utils.logging.disable_progress_bar()
    tokenizer = make_tokenizer()
    tokenizer.save_pretrained(folder)
    make_model(tokenizer).save_pretrained(folder)
    transformers.utils.logging.enable_progress_bar()
    return folder


@pytest.fixture(scope="module")
def model(folder: Path) -> Iterator[LocalModel]:
    """The model behind our contract."""
    model = open_local(f"local:{folder}?device=cpu", Settings())
    yield model
    model.close()


@pytest.fixture
def changed(folder: Path, tmp_path: Path) -> Callable[..., Path]:
    """A copy of the folder with other texts in some files (None: the file is gone)."""

    def copy(**files: str | bytes | None) -> Path:
        target = tmp_path / "changed"
        shutil.copytree(folder, target)
        for name, content in files.items():
            path = target / name.replace("__", ".")
            path.unlink()
            if content is not None:
                path.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    return copy


def request(number: int = 0, **fields: Any) -> Request:
    """A short prompt; its length and its text depend on the number."""
    text = f"Repair number {number}: " + "return x + 1\n" * (number % 5)
    asked = Request((Message("system", "You repair."), Message("user", text)), max_tokens=40, seed=number)
    return replace(asked, **fields)


def reference(model: LocalModel, asked: Request) -> str:
    """What transformers' own `generate` answers."""
    loaded = model.engine.loaded
    turns = [{"role": each.role, "content": each.content} for each in asked.messages]
    ids = loaded.tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        out = loaded.model.generate(
            ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=asked.max_tokens, pad_token_id=0
        )
    return str(loaded.tokenizer.decode(out[0, ids.shape[1] :], skip_special_tokens=True))


def test_a_greedy_reply_is_what_transformers_generates(model: LocalModel) -> None:
    """Our own loop over the cache gives the text of the library's."""
    for number in range(4):
        reply = model.ask(request(number))
        assert reply.text == reference(model, request(number))
        assert 0 < reply.usage.completion <= 40
        assert reply.finish == (Finish.LENGTH if reply.usage.completion == 40 else Finish.STOP)
        assert reply.usage.prompt == len(model.engine.prompter.prompt(turns_of(request(number))))
        assert (reply.usd, reply.extra) == (0.0, {"device": "cpu", "dtype": "float32"})


@pytest.mark.parametrize("temperature", [0.0, 0.9])
def test_a_request_gets_the_same_text_alone_and_in_company(model: LocalModel, temperature: float) -> None:
    """Greedy or drawn: neither neighbours, nor padding, nor who comes and goes, change a reply."""
    asked = [request(number, temperature=temperature, max_tokens=10 + 7 * (number % 6)) for number in range(24)]
    alone = [model.ask(each).text for each in asked]
    with ThreadPoolExecutor(12) as threads:
        together = list(threads.map(model.ask, asked))
    assert [reply.text for reply in together] == alone
    assert len(set(alone)) > 12


def test_the_seed_decides_what_is_drawn(model: LocalModel) -> None:
    """The same seed repeats a reply, another gives another, and none leaves it to chance."""
    warm = request(1, temperature=1.0)
    first = model.ask(warm).text
    assert model.ask(warm).text == first
    assert model.ask(replace(warm, seed=2)).text != first
    by_chance = {model.ask(replace(warm, seed=None)).text for _ in range(3)}
    assert len(by_chance) == 3


def test_rows_that_come_and_go_leave_the_others_as_they_are(model: LocalModel) -> None:
    """Step by step: a row joins longer and shorter ones, others leave, and every reply is as alone."""
    engine = model.engine
    loaded = engine.loaded
    decoder = BatchDecoder(loaded.model, "cpu", loaded.sampling_filter)

    def row(length: int, limit: int) -> BatchRow:
        return BatchRow(
            GenerationRequest(tuple(10 + (7 * place) % 400 for place in range(length)), limit), engine.prompter.decode
        )

    lengths = [(5, 6), (60, 3), (20, 12), (90, 9)]
    rows = [row(*each) for each in lengths]
    decoder.join(rows[:2])
    decoder.step()
    decoder.join(rows[2:3])
    running = rows[:3]
    for round_ in range(40):
        if round_ == 2:
            decoder.join(rows[3:])
            running.append(rows[3])
        running = [each for each in running if not each.done]
        decoder.keep(running)
        if not running and round_ > 2:
            break
        if running:
            decoder.step()
    for each, (length, limit) in zip(rows, lengths, strict=True):
        assert each.tokens == written_alone(loaded.model, each.order.prompt, limit), length


def written_alone(model: Any, prompt: Sequence[int], limit: int) -> list[int]:
    """The likeliest tokens, each from the whole text so far: no cache, no padding."""
    tokens = list(prompt)
    with torch.inference_mode():
        for _ in range(limit):
            tokens.append(int(model(input_ids=torch.tensor([tokens])).logits[0, -1].argmax()))
    return tokens[len(prompt) :]


@pytest.mark.parametrize("family", ["sliding", "gpt2", "opt"])
def test_other_kinds_of_models_are_written_together_too(family: str) -> None:
    """A sliding window, and positions that are learnt, stay right under padding."""
    torch.manual_seed(1)
    if family == "sliding":
        shape = dict(use_sliding_window=True, sliding_window=8, max_window_layers=1, num_hidden_layers=2)
        model = make_model(make_tokenizer(), **shape)
        assert "sliding_attention" in model.config.layer_types
    elif family == "gpt2":
        config = transformers.GPT2Config(vocab_size=500, n_positions=128, n_embd=32, n_layer=2, n_head=2)
        model = transformers.GPT2LMHeadModel(spread_out(config))
    else:
        config = transformers.OPTConfig(
            vocab_size=500,
            hidden_size=32,
            ffn_dim=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            word_embed_proj_dim=32,
        )
        model = transformers.OPTForCausalLM(spread_out(config))
    model.eval()
    decoder = BatchDecoder(model, "cpu", SamplingFilter())
    prompts = [tuple(range(10, 10 + length)) for length in (3, 30, 14)]
    rows = [BatchRow(GenerationRequest(prompt, 12), lambda tokens: "") for prompt in prompts]
    decoder.join(rows[:2])
    decoder.join(rows[2:])
    for _ in range(11):
        decoder.step()
    assert [row.tokens for row in rows] == [written_alone(model, prompt, 12) for prompt in prompts]


def spread_out(config: Any) -> Any:
    """Weights far enough apart that no two tokens are equally likely."""
    for name in ("initializer_range", "init_std"):
        if hasattr(config, name):
            setattr(config, name, 0.4)
    return config


def test_a_model_with_a_state_of_its_own_is_served_one_by_one(tmp_path: Path) -> None:
    """Recurrent layers cannot be padded like a cache: such a model is slower, not wrong."""
    tokenizer = make_tokenizer()
    torch.manual_seed(0)
    config = transformers.Qwen3NextConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, head_dim=16, linear_num_value_heads=2, linear_num_key_heads=2, linear_key_head_dim=8,
        linear_value_head_dim=8, num_experts=2, num_experts_per_tok=1, moe_intermediate_size=32,
        shared_expert_intermediate_size=32, layer_types=["linear_attention", "full_attention"],
        eos_token_id=tokenizer.eos_token_id,
    )  # fmt: skip
    transformers.utils.logging.disable_progress_bar()
    tokenizer.save_pretrained(tmp_path)
    transformers.Qwen3NextForCausalLM(config).save_pretrained(tmp_path)
    model = open_local(f"local:{tmp_path}?device=cpu", Settings())
    try:
        assert model.engine.batcher.most == 1
        with ThreadPoolExecutor(3) as threads:
            texts = [reply.text for reply in threads.map(model.ask, [request(n, max_tokens=6) for n in range(3)])]
        assert texts == [reference(model, request(n, max_tokens=6)) for n in range(3)]
    finally:
        model.close()


def turns_of(asked: Request) -> list[dict[str, str]]:
    return [{"role": each.role, "content": each.content} for each in asked.messages]


@pytest.mark.parametrize("mark", MARKS)
def test_marks_of_the_template_in_a_message_stay_text(model: LocalModel, mark: str) -> None:
    """A program that prints the end of a turn cannot end it, nor speak as someone else; no character is lost."""
    prompter = model.engine.prompter
    mark_id = prompter.tokenizer.convert_tokens_to_ids(mark)
    plain = prompter.prompt([{"role": "user", "content": "say "}])
    hostile = prompter.prompt([{"role": "user", "content": f"say {mark}"}])
    assert hostile.count(mark_id) == plain.count(mark_id)
    assert prompter.decode(hostile).startswith(f"<|im_start|>user\nsay {mark}<|im_end|>")


def test_a_model_without_a_template_gets_a_plain_one(changed: Callable[..., Path]) -> None:
    """Its turns stand under headings, and the next heading ends a reply."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(changed(chat_template__jinja=None))
    prompter = PromptRenderer(tokenizer)
    text = prompter.decode(prompter.prompt([*turns_of(request(1)), {"role": "assistant", "content": "Hm."}]))
    assert text == (
        "You repair.\n\n### Instruction\nRepair number 1: return x + 1\n\n\n### Response\nHm.\n\n### Response\n"
    )
    assert "\n### Instruction" in prompter.stops
    with pytest.raises(ToolsUnsupported, match="takes no tools"):
        prompter.prompt(turns_of(request()), [{"type": "function"}])


def test_a_template_that_knows_no_system_gets_its_text_from_the_user(changed: Callable[..., Path]) -> None:
    """Turns that a strict template refuses are folded; what it still refuses is an error."""
    prompter = PromptRenderer(transformers.AutoTokenizer.from_pretrained(changed(chat_template__jinja=STRICT_TEMPLATE)))
    text = prompter.decode(prompter.prompt(turns_of(request(0))))
    assert text == "[user] You repair.\n\nRepair number 0: \n"
    with pytest.raises(ModelError, match="Roles must alternate"):
        prompter.prompt([{"role": "assistant", "content": "I begin."}])


def test_tools_go_through_the_template_and_calls_come_back(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool and earlier calls are in the prompt; a call in the reply is read, numbered on, and named as its end."""
    seen: list[GenerationRequest] = []
    said = 'So:\n<tool_call>\n{"name": "run", "arguments": {"code": "```\\ndef f(): pass\\n```"}}\n</tool_call>'

    def write(self: Any, order: GenerationRequest) -> Any:
        seen.append(order)
        row = BatchRow(order, lambda tokens: said if tokens else "", frozenset({0}))
        row.take(1)
        row.take(0)
        row.deliver()
        return row.future.result(0)

    monkeypatch.setattr("regreen.models.local.local_model.LocalEngine.write", write)
    turns = (
        Message("user", "go"),
        Message("assistant", "", (ToolCall("call_0", "run", '{"code": "1"}'), ToolCall("call_1", "run", "{oops"))),
        Message("tool", "1", tool_call_id="call_0"),
    )
    reply = model.ask(Request(turns, tools=(RUN,)))
    assert reply.text == "So:"
    assert reply.finish == Finish.TOOL_CALLS
    assert reply.tool_calls == (ToolCall("call_2", "run", json.dumps({"code": "```\ndef f(): pass\n```"})),)
    prompt = model.engine.prompter.decode(seen[0].prompt)
    assert '"Run code."' in prompt
    assert '<tool_call>{"name": "run", "arguments": {"code": "1"}}</tool_call>' in prompt
    assert "{oops" in prompt
    assert seen[0].quotable is None


def test_a_prompt_that_does_not_fit_says_how_long_it_is(model: LocalModel) -> None:
    """It is refused before it is read; a reply gets what room the prompt leaves."""
    with pytest.raises(ContextTooLong, match="512"):
        model.ask(Request((Message("user", "x = 1\n" * 600),)))
    long = Request((Message("user", "y" * 490),), max_tokens=400)
    reply = model.ask(long)
    assert reply.usage.prompt + reply.usage.completion <= 512


def test_the_context_can_be_made_smaller(folder: Path) -> None:
    """But not larger than the model was made for."""
    assert load_model(parse_model_name(f"local:{folder}?context=100&device=cpu")).context == 100
    assert load_model(parse_model_name(f"local:{folder}?context=100000&device=cpu")).context == 512


def test_the_type_of_the_numbers_can_be_chosen(folder: Path) -> None:
    """On a CPU they are float32 unless the name says otherwise."""
    assert load_model(parse_model_name(f"local:{folder}?dtype=bfloat16&device=cpu")).dtype == "bfloat16"
    assert load_model(parse_model_name(f"local:{folder}?device=cpu")).dtype == "float32"


def test_what_makers_advise_narrows_what_is_drawn(changed: Callable[..., Path]) -> None:
    """top_k and top_p of a model's generation settings hold, and each of its ends ends a reply."""
    advice = json.dumps({"eos_token_id": [5, 6], "top_k": 20, "top_p": 0.8, "repetition_penalty": 1.3})
    loaded = load_model(parse_model_name(f"local:{changed(generation_config__json=advice)}?device=cpu"))
    assert loaded.sampling_filter == SamplingFilter(20, 0.8)
    assert loaded.ends >= {5, 6, 2}


def test_a_draw_is_by_chance_and_within_its_bounds() -> None:
    """Over many seeds tokens come as often as they are likely, and never those that are ruled out."""
    chances = torch.tensor([0.5, 0.3, 0.15, 0.05])
    rows = [BatchRow(GenerationRequest((1,), 9, temperature=1.0, seed=seed), lambda tokens: "") for seed in range(4000)]
    scores = chances.log().repeat(len(rows), 1)

    def shares(sampling_filter: SamplingFilter) -> list[float]:
        drawn = choose_tokens(scores, rows, sampling_filter)
        return [drawn.count(token) / len(rows) for token in range(4)]

    assert shares(SamplingFilter()) == pytest.approx([0.5, 0.3, 0.15, 0.05], abs=0.03)
    assert shares(SamplingFilter(top_k=2)) == pytest.approx([0.625, 0.375, 0, 0], abs=0.03)
    assert shares(SamplingFilter(top_p=0.85)) == pytest.approx([0.526, 0.316, 0.158, 0], abs=0.03)
    assert shares(SamplingFilter(top_p=0.1)) == [1, 0, 0, 0]


def test_rows_of_several_temperatures_share_a_step() -> None:
    """Cold ones take the likeliest, others draw."""
    scores = torch.tensor([[1.0, 1.2, 0.0]]).repeat(60, 1)
    rows = [
        BatchRow(GenerationRequest((1,), 9, temperature=seed % 2, seed=seed), lambda tokens: "") for seed in range(60)
    ]
    chosen = choose_tokens(scores, rows, SamplingFilter())
    assert set(chosen[::2]) == {1}
    assert set(chosen[1::2]) == {0, 1, 2}


@pytest.mark.parametrize(
    "error",
    [MemoryError(), RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried 99 bytes")],
)
def test_a_lack_of_memory_leaves_the_batch_as_it_was(
    model: LocalModel, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """New rows that do not fit change nothing; without them the batch goes on."""
    loaded = model.engine.loaded
    decoder = BatchDecoder(loaded.model, "cpu", loaded.sampling_filter)
    prompt = tuple(range(10, 40))
    first, second = (BatchRow(GenerationRequest(prompt, 9), lambda tokens: "") for _ in range(2))
    decoder.join([first])
    with monkeypatch.context() as patch:
        patch.setattr(BatchDecoder, "_add", lambda *_: (_ for _ in ()).throw(error))
        with pytest.raises(OutOfMemory):
            decoder.join([second])
    decoder.step()
    assert (len(first.tokens), second.tokens) == (2, [])
    assert first.tokens == written_alone(loaded.model, prompt, 2)


def test_another_failure_is_no_lack_of_memory(model: LocalModel) -> None:
    """A fault of the arithmetic is not tried again with fewer rows."""
    decoder = BatchDecoder(model.engine.loaded.model, "cpu", SamplingFilter())
    with pytest.raises(IndexError):
        decoder.join([BatchRow(GenerationRequest((10**6,), 9), lambda tokens: "")])


def test_a_reply_ends_at_a_stop_and_at_the_limit_of_the_settings(folder: Path) -> None:
    """Where the request names none, the settings' limit holds."""
    model = open_local(f"{folder}?device=cpu", Settings(max_reply_tokens=16))
    try:
        assert model.ask(request(max_tokens=None)).usage.completion <= 16
        whole = model.ask(request(max_tokens=8)).text
        assert model.ask(request(max_tokens=8, stop=(whole[3:5],))).text == whole.partition(whole[3:5])[0]
    finally:
        model.close()


def test_a_closed_model_says_so(folder: Path) -> None:
    """Whoever asks afterwards gets an error rather than silence."""
    model = open_local(str(folder) + "?device=cpu", Settings())
    assert model.name == f"local:{folder}?device=cpu"
    model.close()
    model.close()
    with pytest.raises(ModelError, match="closed"):
        model.ask(request())


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"config__json": None}, "no config.json"),
        ({"config__json": "{}"}, "cannot be used"),
        ({"config__json": "not JSON"}, "cannot be used"),
        ({"config__json": '{"model_type": "no-such-type"}'}, "no-such-type"),
        ({"config__json": '{"model_type": "vit"}'}, "cannot be used"),
        ({"config__json": '{"model_type": "odd", "auto_map": {"AutoConfig": "odd.Odd"}}'}, "never run"),
        ({"model__safetensors": None}, "cannot be used"),
        ({"model__safetensors": b"rubbish" * 99}, "cannot be read"),
        ({"tokenizer__json": "rubbish"}, "cannot be"),
    ],
)
def test_a_folder_that_cannot_be_used_is_a_clear_error(
    changed: Callable[..., Path], files: dict[str, Any], words: str
) -> None:
    """Whatever is missing or broken in it: one of our errors, that names the folder and the fault."""
    target = changed(**files)
    with pytest.raises((ConfigError, ModelError), match="changed") as raised:
        open_engine(parse_model_name(f"local:{target}?device=cpu"))
    assert words in str(raised.value)
    assert raised.value.remedy


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """It is not looked for at the hub."""
    with pytest.raises(ConfigError, match="There is no folder"):
        open_local(f"local:{tmp_path}/nowhere", Settings())


def test_a_model_that_can_be_had_nowhere_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the cache nor to be downloaded: the error names it, and short names like it."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match="cannot be downloaded") as raised:
        open_local("local:qwen2.5-coder-05b", Settings())
    assert "qwen2.5-coder-0.5b" in raised.value.remedy


def test_without_a_network_the_cache_is_enough(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that was downloaded before is loaded at once: nobody waits for a hub that is out of reach."""
    commit = "c" * 40
    kept = tmp_path / "models--shelf--tiny"
    shutil.copytree(folder, kept / "snapshots" / commit)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(commit, encoding="ascii")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://hub.invalid")
    monkeypatch.setattr("regreen.network.getproxies", dict)
    assert load_model(parse_model_name("local:shelf/tiny?device=cpu")).context == 512
    with pytest.raises(ModelError, match=r"shelf/other is not on this machine .*: hub\.invalid"):
        load_model(parse_model_name("local:shelf/other?device=cpu"))


def test_a_library_too_old_to_keep_marks_apart_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prompts would not be safe with it."""
    base = transformers.PreTrainedTokenizerBase
    monkeypatch.setattr(base, "apply_chat_template", lambda self, conversation: [])
    with pytest.raises(ConfigError, match="too old") as raised:
        load_model(parse_model_name(str(folder)))
    assert "--upgrade" in raised.value.remedy
