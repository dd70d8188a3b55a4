// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.host.EchoClient.DataMismatchException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The conditions that must hold after every fault: the processes under test are alive, serve every kind of client with
 * the right data, have reported no violation, and hold the resources of the baseline.
 */
final class Invariants {
    private static final long PAUSE_MILLIS = 500;

    private final Stage stage;

    Invariants(Stage stage) {
        this.stage = stage;
    }

    /** Waits until all clients are served and all is as at the baseline. */
    void check(Baseline baseline) throws SoakFailureException, InterruptedException {
        requireAlive();
        serveAll();
        awaitBaseline(baseline);
        requireNoViolations();
    }

    private void requireAlive() throws SoakFailureException {
        for (TestedProcess process : stage.processes()) {
            if (!process.isAlive()) {
                throw new SoakFailureException(process + " is not alive");
            }
        }
        if (stage.loop().isClosed()) {
            throw new SoakFailureException("the event loop of the clients has ended: " + stage.loop());
        }
    }

    /** Every kind of client once. */
    void serveAll() throws SoakFailureException, InterruptedException {
        for (Probes.Probe probe : Probes.of(stage)) {
            serve(probe);
        }
    }

    private void serve(Probes.Probe probe) throws SoakFailureException, InterruptedException {
        long end = System.nanoTime() + Limits.RECOVERY.toNanos();
        while (true) {
            try {
                TimedCall.run(probe.name(), probe.action()).await(Limits.CLIENT);
                return;
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                if (cause instanceof SoakFailureException failure) {
                    throw failure;
                }
                if (cause instanceof DataMismatchException || !(cause instanceof IOException)) {
                    throw new SoakFailureException(probe.name() + ": " + cause, cause);
                }
                requireNoViolations();
                requireAlive();
                if (System.nanoTime() - end > 0) {
                    throw new SoakFailureException(
                            probe.name() + " is not served, " + Limits.RECOVERY.toSeconds() + " s after the fault: "
                                    + cause.getMessage(),
                            cause);
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private void awaitBaseline(Baseline baseline) throws SoakFailureException, InterruptedException {
        long end = System.nanoTime() + Limits.RECOVERY.toNanos();
        while (true) {
            List<String> excess = baseline.excess(Baseline.measure(stage));
            if (excess.isEmpty()) {
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new SoakFailureException(
                        "not back to the baseline " + Limits.RECOVERY.toSeconds() + " s after the fault: " + excess);
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private void requireNoViolations() throws SoakFailureException, InterruptedException {
        for (TestedProcess process : stage.processes()) {
            String violations = process.violations();
            if (!violations.isEmpty()) {
                throw new SoakFailureException(process + ": " + violations);
            }
        }
        List<String> own = stage.violations().all();
        if (!own.isEmpty()) {
            throw new SoakFailureException("clients of this program: " + String.join("; ", own));
        }
    }
}
