#include "gputop/core/secrets.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using gputop::mask_secrets;

TEST_CASE("values of arguments named like a secret are masked", "[core][secrets]") {
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

TEST_CASE("headers, dictionaries and URLs lose their secrets", "[core][secrets]") {
  CHECK(mask_secrets("curl -H Authorization: Bearer abc.def http://x") == "curl -H Authorization: Bearer *** http://x");
  CHECK(mask_secrets("curl -H Authorization: Basic YTpi") == "curl -H Authorization: Basic ***");
  CHECK(mask_secrets("curl -H X-Auth-Token:abc") == "curl -H X-Auth-Token:***");
  CHECK(mask_secrets("p -c login('u', password='x y') z") == "p -c login('u', password=***) z");
  CHECK(mask_secrets("p {\"token\": \"a b\", \"n\": 1}") == "p {\"token\": ***, \"n\": 1}");
  CHECK(mask_secrets("git clone https://ada:pw@host/x.git") == "git clone https://***@host/x.git");
  CHECK(mask_secrets("postgres://u:p@ss@db:5432/x") == "postgres://***@db:5432/x");
  CHECK(mask_secrets("get http://host/a@b?token=abc") == "get http://host/a@b?token=***");
}

TEST_CASE("words shaped like the keys of well known services are masked wherever they stand", "[core][secrets]") {
  for (const std::string key :
       {"hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "sk-proj-abc123def456ghi789jkl", "sk-1234567890abcdef",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "AKIAIOSFODNN7EXAMPLE", "glpat-1a2b3c4d5e6f7g8h9i0j",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc123"}) {
    CAPTURE(key);
    CHECK(mask_secrets("run " + key + " now") == "run *** now");
    CHECK(mask_secrets("run x=" + key) == "run x=***");
  }
}

TEST_CASE("short names of secrets are known", "[core][secrets]") {
  CHECK(mask_secrets("a --auth abc --x 1") == "a --auth *** --x 1");
  CHECK(mask_secrets("a --auth=abc --http-auth d") == "a --auth=*** --http-auth ***");
  CHECK(mask_secrets("a --pw abc --db-pw=def DB_PW=ghi") == "a --pw *** --db-pw=*** DB_PW=***");
  CHECK(mask_secrets("a --pat abc GITHUB_PAT=def") == "a --pat *** GITHUB_PAT=***");
  CHECK(mask_secrets("a --key abc --x") == "a --key *** --x");
  CHECK(mask_secrets("a --key=abc") == "a --key=***");
  CHECK(mask_secrets("sshpass -p hunter2 ssh host") == "sshpass -p *** ssh host");
  CHECK(mask_secrets("a -p=hunter2") == "a -p=***");
  CHECK(mask_secrets("curl -u ada:hunter2 http://x") == "curl -u ada:*** http://x");
  CHECK(mask_secrets("curl --user ada:hunter2") == "curl --user ada:***");
  CHECK(mask_secrets("curl -uada:hunter2 http://x") == "curl -uada:*** http://x");
  CHECK(mask_secrets("curl --proxy-user=ada:hunter2 x") == "curl --proxy-user=ada:*** x");
}

TEST_CASE("of separate words a whole one is masked, with the blanks in it", "[core][secrets]") {
  using Words = std::vector<std::string>;
  CHECK(gputop::mask_arguments({"a", "--pw", "two words", "--x", "1"}) == Words{"a", "--pw", "***", "--x", "1"});
  CHECK(gputop::mask_arguments({"a", "-p", "two words"}) == Words{"a", "-p", "***"});
  CHECK(gputop::mask_arguments({"a", "-u", "ada:two words"}) == Words{"a", "-u", "ada:***"});
  CHECK(gputop::mask_arguments({"a", "-uada:two words"}) == Words{"a", "-uada:***"});
  CHECK(gputop::mask_arguments({"a", "--token=x y", "b"}) == Words{"a", "--token=***", "b"});
  CHECK(gputop::mask_arguments({"curl", "-H", "Authorization: Bearer abc"}) ==
        Words{"curl", "-H", "Authorization: Bearer ***"});
  CHECK(gputop::mask_arguments({"python", "-u", "train.py", "-p", "10"}) ==
        Words{"python", "-u", "train.py", "-p", "10"});
  CHECK(gputop::mask_arguments({}).empty());
}

TEST_CASE("what is no secret stays as it is", "[core][secrets]") {
  for (const std::string command :
       {"python train.py --batch-size 8 --lr=1e-4",
        "t --tokenizer gpt2 --max-tokens 128 --num_tokens=5 --pad-token <pad>",
        "t --password-file /run/x --sort-key name --keyboard de", "python hf_finetune_v2.py sk-learn hf_transfer",
        "bash -c echo token", "see https://host/path user@host", "t --token", "t --token --next 1", "", "   ",
        "secret://store/x", "author=ada passes=3", "python -u train.py --x a:b", "docker run -u 1000:1000 -p 8080:80",
        "docker run -u1000:1000 -p8080:80", "a -url:http://x",
        "ssh -p 22 host", "main.py -p 10 -p 0.5", "mkdir -p /tmp/x ./y",
        "t --sort-key name --author ada --path x --pattern y"}) {
    CAPTURE(command);
    CHECK(mask_secrets(command) == command);
  }
}

TEST_CASE("masking twice is masking once", "[core][secrets]") {
  for (const std::string command :
       {"a --token abc --api-key=x HF_TOKEN=y", "Authorization: Bearer abc", "https://a:b@c/d?token=e&f=g",
        "p {\"token\": \"a b\"}", "run hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "--token", "--token= x",
        "a -u ada:x -p y --key z", "a -uada:x", "password: : x"}) {
    CAPTURE(command);
    CHECK(mask_secrets(mask_secrets(command)) == mask_secrets(command));
  }
}
