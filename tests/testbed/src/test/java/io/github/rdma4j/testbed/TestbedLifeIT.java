// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How testbeds start and end: interrupted, killed, and as large as they may be. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TestbedLifeIT {
    @Test
    void anInterruptedStartLeavesNoGuest() throws Exception {
        Set<ProcessHandle> others = Launched.guests(ProcessHandle.current());
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread starter = new Thread(() -> {
            try (Testbed testbed = Testbed.builder().nodes(2).memoryMib(512).start()) {
                thrown.complete(new AssertionError("started: " + testbed.nodes()));
            } catch (IOException | InterruptedException e) {
                thrown.complete(e);
            }
        });
        starter.start();
        Set<ProcessHandle> guests = Set.of();
        while (guests.isEmpty() && !thrown.isDone()) {
            Thread.sleep(10);
            guests = Launched.guests(ProcessHandle.current());
            guests.removeAll(others);
        }

        starter.interrupt();

        assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        starter.join();
        guests.addAll(Launched.guests(ProcessHandle.current()));
        guests.removeAll(others);
        Launched.awaitEnd(guests);
    }

    /** As a build that is cancelled does it; a shutdown hook does not run. */
    @Test
    void noNodeAndNoLockOutlivesAJvmThatIsKilled() throws Exception {
        List<String> line =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), TestbedHolder.class.getName()));
        Process holder = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(holder.inputReader().readLine()).isEqualTo("ready");
            assertThat(Launched.guests(holder.toHandle())).hasSizeGreaterThanOrEqualTo(2);
            Launched.killAndAwaitDescendants(holder);
        } finally {
            holder.destroyForcibly();
        }

        try (Testbed next =
                Testbed.builder().memoryMib(512).device(Testbed.Device.NONE).start()) {
            next.node(1).exec("true").requireSuccess();
        }
    }

    /** Eight, which is the most; three where guests are emulated, of which eight would take a minute of processor time to boot. */
    @Test
    void theNodesReachEachOther() throws Exception {
        boolean fast = Backend.resolve(java.util.Optional.empty()) == Backend.UML
                && UmlKernel.isIn(CacheDirectory.of(System.getenv()));
        int count = fast ? 8 : 3;
        try (Testbed testbed = Testbed.builder().nodes(count).memoryMib(512).start()) {
            assertThat(testbed.nodes()).hasSize(count);
            for (Node server : testbed.nodes()) {
                Node client = testbed.node(server.number() % count + 1);
                String address = server.ipv4Address().getHostAddress();
                GuestProcess listening = server.start("rping", "-s", "-C", "3", "-a", address);
                client.exec("sh", "-c", "until rping -c -C 3 -a " + address + "; do sleep 0.1; done")
                        .requireSuccess();
                assertThat(listening.waitFor()).as(address).isZero();
            }
        }
        assertThatThrownBy(() -> Testbed.builder().nodes(9)).hasMessage("nodes: 1 to 8, not 9");
    }
}
