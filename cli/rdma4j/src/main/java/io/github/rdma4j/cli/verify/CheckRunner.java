// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.verify.CheckRunner.Result.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** Runs checks in sequence. No check ends the run, even if it throws, runs out of memory, or hangs. */
final class CheckRunner {
    private static final Duration FAREWELL = Duration.ofSeconds(2);
    private static final int FRAMES = 12;

    private final long deadline;

    /** Creates a runner that starts no check after {@code limit}. */
    CheckRunner(Duration limit) {
        this.deadline = System.nanoTime() + limit.toNanos();
    }

    /** Runs a check within its own limit and the remaining time of the run. */
    Result run(String name, Duration limit, Callable<String> body) throws InterruptedException {
        long start = System.nanoTime();
        long left = deadline - start;
        if (left <= 0) {
            return new Result(name, Outcome.LEFT_OUT, Duration.ZERO, "the time limit of the run is over");
        }
        FutureTask<String> task = new FutureTask<>(body);
        // each check has its own thread; a thread that hangs is abandoned
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        long millis = Math.min(limit.toMillis(), Duration.ofNanos(left).toMillis());
        try {
            return result(name, Outcome.PASSED, start, task.get(millis, TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            Outcome outcome = cause instanceof Check.LeftOutException ? Outcome.LEFT_OUT : Outcome.FAILED;
            return result(name, outcome, start, explain(cause));
        } catch (TimeoutException e) {
            String hangs = "not finished after " + millis + " ms; it was at\n" + frames(thread.getStackTrace());
            thread.interrupt();
            thread.join(FAREWELL.toMillis());
            return result(name, Outcome.FAILED, start, hangs);
        }
    }

    private static Result result(String name, Outcome outcome, long start, String detail) {
        return new Result(name, outcome, Duration.ofNanos(System.nanoTime() - start), detail);
    }

    private static String explain(Throwable cause) {
        if (cause instanceof Check.CheckFailedException || cause instanceof Check.LeftOutException) {
            return String.valueOf(cause.getMessage());
        }
        return Failures.text(cause) + "\n" + cause.getClass().getName() + "\n" + frames(cause.getStackTrace());
    }

    private static String frames(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .limit(FRAMES)
                .map(frame -> "    at " + frame)
                .collect(Collectors.joining("\n"));
    }

    /**
     * The result of a check.
     *
     * @param detail figures, the failure, or the reason why the check was left out
     */
    record Result(String name, Outcome outcome, Duration time, String detail) {
        /** The outcome of a check. */
        enum Outcome {
            PASSED("passed"),
            FAILED("FAILED"),
            LEFT_OUT("left out");

            private final String text;

            Outcome(String text) {
                this.text = text;
            }

            @Override
            public String toString() {
                return text;
            }
        }

        boolean is(Outcome other) {
            return outcome == other;
        }

        /** The first line of the detail. */
        String summary() {
            return detail.lines().findFirst().orElse("");
        }
    }
}
