// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.guest.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code rdma link delete} of the only RDMA device, in a separate process, because it may wait for the users of the
 * device. Closing adds the device again.
 */
final class Deletion implements AutoCloseable {
    /** Where the kernel waits for the last descriptor of the verbs device. */
    private static final String WAITS_FOR_VERBS = "ib_uverbs_remove_one";

    private final Program program;

    private Deletion(Program program) {
        this.program = program;
    }

    static Deletion start(Trial trial) {
        return trial.closeLater(new Deletion(Program.start("rdma", "link", "delete", Adapter.DEVICE)));
    }

    /**
     * Waits until it is over, or until it waits for others: {@code ends} or the function of the kernel it sleeps in.
     */
    String outcome() {
        StringBuilder outcome = new StringBuilder();
        Await.until("an outcome of the deletion", () -> {
            outcome.setLength(0);
            outcome.append(now());
            return !outcome.isEmpty();
        });
        return outcome.toString();
    }

    private String now() {
        try {
            if (!ProcessHandle.of(program.pid()).map(ProcessHandle::isAlive).orElse(false)) {
                return "ends";
            }
            String stack = Files.readString(Path.of("/proc", String.valueOf(program.pid()), "stack"));
            return stack.contains(WAITS_FOR_VERBS) ? "waits in " + WAITS_FOR_VERBS : "";
        } catch (IOException gone) {
            return "";
        }
    }

    /** Waits for its end, which must be a success. */
    void end() throws InterruptedException {
        program.success();
    }

    /** Deletes the device, which no process has open. */
    static void now(Trial trial) throws InterruptedException {
        start(trial).end();
    }

    static boolean deviceExists() {
        return Files.exists(Path.of("/sys/class/infiniband", Adapter.DEVICE));
    }

    static boolean nodeExists() {
        return Files.exists(Path.of("/dev/infiniband/uverbs0"));
    }

    /** Adds the device if it is missing, and waits until addresses can be bound. */
    static void undo() throws RdmaException, InterruptedException {
        if (!deviceExists()) {
            Program.run("rdma", "link", "add", Adapter.DEVICE, "type", "rxe", "netdev", Adapter.NETDEV);
        }
        Net.awaitAddresses();
    }

    @Override
    public void close() {
        try {
            program.success();
            undo();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("making the device anew", e);
        } catch (RdmaException e) {
            throw new AssertionError("making the device anew", e);
        }
    }
}
