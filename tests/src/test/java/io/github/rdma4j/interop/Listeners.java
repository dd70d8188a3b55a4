// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.Await;
import io.github.rdma4j.it.support.Program;
import java.util.stream.Stream;

/** Knowing that a server, in whatever language, is ready: the kernel says who listens. */
final class Listeners {
    private Listeners() {}

    /** Waits until a CM id of this machine listens on {@code port}. */
    static void await(int port) {
        Await.until("a listener on port " + port, () -> hasCmId("LISTEN", port));
    }

    /** Waits until a CM id of this machine is connected to or from {@code port}, or has asked to be. */
    static void awaitConnection(int port) {
        Await.until("a connection with port " + port, () -> hasCmId("CONNECT", port));
    }

    /** Waits until two queue pairs of this machine are connected to each other: both sides have accepted. */
    static void awaitBothSides() {
        Await.until(
                "two connected queue pairs",
                () -> resources("qp")
                                .filter(line -> line.contains("type RC state RTS"))
                                .count()
                        >= 2);
    }

    private static boolean hasCmId(String state, int port) {
        return resources("cm_id").anyMatch(line -> line.contains("state " + state) && line.contains(":" + port));
    }

    private static Stream<String> resources(String type) {
        try {
            return Program.run("rdma", "resource", "show", type).lines();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Stream.empty();
        }
    }
}
