// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.verify.CheckRunner.Result;
import io.github.rdma4j.cli.verify.CheckRunner.Result.Outcome;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CheckRunnerTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final CheckRunner runner = new CheckRunner(LIMIT);

    private Result run(Callable<String> body) throws InterruptedException {
        return runner.run("the check", LIMIT, body);
    }

    @Test
    void keepsTheFiguresOfACheckThatPasses() throws Exception {
        Result result = run(() -> "12 lengths");

        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.name()).isEqualTo("the check");
        assertThat(result.detail()).isEqualTo("12 lengths");
    }

    @Test
    void saysWhatWasExpected() throws Exception {
        Result result = run(() -> {
            Check.CheckFailedException.expect("wr_id", 7L, 8L);
            return "";
        });

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).isEqualTo("wr_id is 7 and should be 8");
    }

    @Test
    void saysWhyACheckCannotRun() throws Exception {
        Result result = run(() -> {
            throw new Check.LeftOutException("not on this device: it has no atomics");
        });

        assertThat(result.outcome()).isEqualTo(Outcome.LEFT_OUT);
        assertThat(result.detail()).isEqualTo("not on this device: it has no atomics");
    }

    @Test
    void survivesWhateverACheckThrows() throws Exception {
        Result exception = run(() -> {
            throw new IllegalStateException("the queue is closed");
        });
        Result error = run(() -> {
            throw new OutOfMemoryError("Java heap space");
        });

        assertThat(exception.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(exception.summary()).isEqualTo("the queue is closed");
        assertThat(exception.detail()).contains("java.lang.IllegalStateException", "    at ", "CheckRunnerTest");
        assertThat(error.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(error.summary()).contains("out of memory");
    }

    @Test
    void endsACheckThatHangs() throws Exception {
        Result result = runner.run("the check", Duration.ofMillis(50), () -> {
            new CountDownLatch(1).await();
            return "";
        });

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.summary()).startsWith("not finished after 50 ms; it was at");
        assertThat(result.detail()).contains("CountDownLatch.await");
    }

    @Test
    void startsNothingAfterTheLimitOfTheRun() throws Exception {
        Result result = new CheckRunner(Duration.ZERO).run("the check", LIMIT, () -> "");

        assertThat(result.outcome()).isEqualTo(Outcome.LEFT_OUT);
        assertThat(result.detail()).contains("time limit");
    }
}
