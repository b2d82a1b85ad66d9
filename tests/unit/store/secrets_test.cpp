#include "gputop/store/secrets.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using gputop::mask_secrets;

TEST_CASE("values of arguments named like a secret are masked", "[store][secrets]") {
  CHECK(mask_secrets("a --token abc --x 1") == "a --token *** --x 1");
  CHECK(mask_secrets("a --token=abc --x 1") == "a --token=*** --x 1");
  CHECK(mask_secrets("a --api-key abc") == "a --api-key ***");
  CHECK(mask_secrets("a --apiKey=abc") == "a --apiKey=***");
  CHECK(mask_secrets("a --hub_token 'a b' c") == "a --hub_token *** c");
  CHECK(mask_secrets("a -password abc") == "a -password ***");
  CHECK(mask_secrets("a db.password=p,w;x& b") == "a db.password=*** b");
  CHECK(mask_secrets("env HF_TOKEN=abc WANDB_API_KEY=def AWS_SECRET_ACCESS_KEY=x python t.py") ==
        "env HF_TOKEN=*** WANDB_API_KEY=*** AWS_SECRET_ACCESS_KEY=*** python t.py");
  CHECK(mask_secrets("mysql --pass x --secret y --credentials z") == "mysql --pass *** --secret *** --credentials ***");
}

TEST_CASE("headers, dictionaries and URLs lose their secrets", "[store][secrets]") {
  CHECK(mask_secrets("curl -H Authorization: Bearer abc.def http://x") == "curl -H Authorization: Bearer *** http://x");
  CHECK(mask_secrets("curl -H Authorization: Basic YTpi") == "curl -H Authorization: Basic ***");
  CHECK(mask_secrets("curl -H X-Auth-Token:abc") == "curl -H X-Auth-Token:***");
  CHECK(mask_secrets("p -c login('u', password='x y') z") == "p -c login('u', password=***) z");
  CHECK(mask_secrets("p {\"token\": \"a b\", \"n\": 1}") == "p {\"token\": ***, \"n\": 1}");
  CHECK(mask_secrets("git clone https://ada:pw@host/x.git") == "git clone https://***@host/x.git");
  CHECK(mask_secrets("postgres://u:p@ss@db:5432/x") == "postgres://***@db:5432/x");
  CHECK(mask_secrets("get http://host/a@b?token=abc") == "get http://host/a@b?token=***");
}

TEST_CASE("words shaped like the keys of well known services are masked wherever they stand", "[store][secrets]") {
  for (const std::string key :
       {"hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "sk-proj-abc123def456ghi789jkl", "sk-1234567890abcdef",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "AKIAIOSFODNN7EXAMPLE", "glpat-1a2b3c4d5e6f7g8h9i0j",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc123"}) {
    CAPTURE(key);
    CHECK(mask_secrets("run " + key + " now") == "run *** now");
    CHECK(mask_secrets("run x=" + key) == "run x=***");
  }
}

TEST_CASE("what is no secret stays as it is", "[store][secrets]") {
  for (const std::string command :
       {"python train.py --batch-size 8 --lr=1e-4",
        "t --tokenizer gpt2 --max-tokens 128 --num_tokens=5 --pad-token <pad>",
        "t --password-file /run/x --sort-key name --keyboard de", "python hf_finetune_v2.py sk-learn hf_transfer",
        "bash -c echo token", "see https://host/path user@host", "t --token", "t --token --next 1", "", "   ",
        "secret://store/x", "author=ada passes=3"}) {
    CAPTURE(command);
    CHECK(mask_secrets(command) == command);
  }
}

TEST_CASE("masking twice is masking once", "[store][secrets]") {
  for (const std::string command :
       {"a --token abc --api-key=x HF_TOKEN=y", "Authorization: Bearer abc", "https://a:b@c/d?token=e&f=g",
        "p {\"token\": \"a b\"}", "run hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "--token", "--token= x",
        "password: : x"}) {
    CAPTURE(command);
    CHECK(mask_secrets(mask_secrets(command)) == mask_secrets(command));
  }
}
