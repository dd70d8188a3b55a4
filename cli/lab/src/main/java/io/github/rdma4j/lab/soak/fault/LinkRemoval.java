// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.Ended;
import io.github.rdma4j.lab.soak.node.Limits;
import io.github.rdma4j.lab.soak.node.Node;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The RDMA device goes under servers and clients at full rate, and comes back. */
final class LinkRemoval implements Fault {
    @Override
    public String name() {
        return "link";
    }

    @Override
    public String description() {
        return "rdma link delete at full rate, and add";
    }

    @Override
    public Injection plan(Random random) {
        int before = random.nextInt(3000);
        int between = random.nextInt(1000);
        long seed = random.nextLong();
        return new Injection(
                "delete after " + before + " ms, add after " + between + " ms more",
                stage -> remove(stage, before, between, seed));
    }

    private static String remove(Stage stage, int before, int between, long seed)
            throws SoakFailureException, InterruptedException {
        Node node = stage.server();
        Traffic traffic = Traffic.toAll(stage, seed);
        TimeUnit.MILLISECONDS.sleep(before);
        long start = System.nanoTime();
        delete(node);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        TimeUnit.MILLISECONDS.sleep(between);
        node.check("rdma", "link", "add", "rxe0", "type", "rxe", "netdev", node.netdev());
        return "deleted in " + millis + " ms; " + traffic.awaitEnd(Limits.CLIENT);
    }

    /** The deletion waits in the kernel until every process has closed the device, and cannot be killed while it waits. */
    private static void delete(Node node) throws SoakFailureException, InterruptedException {
        try {
            Ended deletion = node.run(Limits.PROGRAM, "rdma", "link", "delete", "rxe0");
            if (!deletion.isSuccess()) {
                throw new SoakFailureException("rdma link delete has failed: " + deletion.output());
            }
        } catch (SoakFailureException e) {
            throw new SoakFailureException(e.getMessage() + "; the device is still open in " + holders(node), e);
        }
    }

    private static String holders(Node node) throws SoakFailureException, InterruptedException {
        return node.check(
                        "sh",
                        "-c",
                        "cd /proc; for p in [0-9]*; do ls -l $p/fd 2> /dev/null | grep -q /dev/infiniband/uverbs &&"
                                + " echo \"$p $(tr '\\0' ' ' < $p/cmdline | tail -c 60)\"; done; true")
                .replace('\n', ';');
    }
}
