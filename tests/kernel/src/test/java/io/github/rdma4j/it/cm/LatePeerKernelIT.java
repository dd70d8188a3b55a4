// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A peer whose host answers no ARP request of the first three, as one that has just been switched on. */
@RequiresKernel
class LatePeerKernelIT {
    private static final String SPACE = "late";
    private static final String PEER = "10.99.0.2";

    private static boolean isGivenUp() {
        try {
            return Program.run("ip", "neigh", "show", PEER, "dev", RemovableLink.NETDEV)
                    .contains("FAILED");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void isFoundWithinTheTimeLimitOfTheStep() throws Exception {
        try (RemovableLink link = RemovableLink.make();
                CmEventLoop loop = CmEventLoop.open()) {
            assertThat(link.isThere()).isTrue();
            Program.run("ip", "netns", "add", SPACE);
            try {
                Program.run("ip", "link", "set", RemovableLink.NETDEV + "p", "netns", SPACE);
                Program.run("ip", "-n", SPACE, "link", "set", RemovableLink.NETDEV + "p", "up");
                CompletableFuture<CmId> resolved = new CompletableFuture<>();
                CompletableFuture<CmConnection> connecting = loop.connect(
                        new InetSocketAddress(PEER, 7000),
                        ConnectOptions.builder()
                                .timeout(Duration.ofSeconds(30))
                                .queuePair(id -> {
                                    resolved.complete(id);
                                    return QueuePairOptions.DEFAULT;
                                })
                                .build());
                CompletableFuture<Void> failed = connecting.handle((made, failure) -> {
                    resolved.completeExceptionally(failure);
                    return null;
                });
                Await.until("the kernel has given up to ask", LatePeerKernelIT::isGivenUp);
                Program.run("ip", "-n", SPACE, "address", "add", PEER + "/24", "dev", RemovableLink.NETDEV + "p");
                loop.await(resolved, Await.LIMIT);
                connecting.cancel(false);
                loop.await(failed, Await.LIMIT);
            } finally {
                // Back first: the namespace would take the device and its peer along.
                Program.run("ip", "-n", SPACE, "link", "set", RemovableLink.NETDEV + "p", "netns", "1");
                Program.run("ip", "netns", "delete", SPACE);
            }
        }
    }
}
