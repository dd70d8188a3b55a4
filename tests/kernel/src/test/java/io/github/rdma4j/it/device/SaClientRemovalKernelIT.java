// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.sa.SaCommand;
import io.github.rdma4j.it.support.Netdev;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.SaOptions;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.UmadPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code rdma link delete} of a device whose umad a client of subnet administration uses. */
@RequiresKernel
class SaClientRemovalKernelIT {
    private static final String DEVICE = "rxe7";
    private static final String NETDEV = "veth7";
    private static final String IPV6 = "fd97::1";
    private static final SaRequest<ClassPortInfo> ASK = SaRequest.classPortInfo();
    private static final SaOptions PATIENT = SaOptions.builder()
            .firstTimeout(RoceSubnetAdministration.PATIENT.multipliedBy(10))
            .build();

    private Netdev netdev;
    private String umad;
    private @Nullable MadAddress address;

    @BeforeEach
    void addDevice() throws Exception {
        netdev = Netdev.dummy(NETDEV, "10.97.0.1/24");
        Program.run("ip", "-6", "address", "add", IPV6 + "/64", "dev", NETDEV, "nodad");
        Program.run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", NETDEV);
        umad = RoceSubnetAdministration.umadOf(DEVICE);
        Await.until("the node of " + umad, () -> Files.exists(Path.of("/dev/infiniband", umad)));
        Await.until("the GID of " + IPV6, this::hasAddress);
    }

    private boolean hasAddress() {
        try {
            address = RoceSubnetAdministration.address(DEVICE, IPV6);
            return true;
        } catch (Exception notYet) {
            return false;
        }
    }

    @AfterEach
    void removeDevice() {
        netdev.close(); // takes the RDMA device along
    }

    private MadTransport transport() throws RdmaException {
        return RoceSubnetAdministration.transport(UmadPort.open(DEVICE, 1), Objects.requireNonNull(address));
    }

    private static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        try {
            return new AssertionError("no failure but " + future.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    /** Deletes the device, and waits for the end of that: the kernel waits for whoever keeps the device. */
    private static void delete() throws InterruptedException {
        Program.run("rdma", "link", "delete", DEVICE);
    }

    private boolean isOpen() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.anyMatch(fd -> leadsTo(fd, umad));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean leadsTo(Path fd, String name) {
        try {
            return Files.readSymbolicLink(fd).toString().contains("/" + name);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    @Test
    void aClientThatWaits() throws Exception {
        // Without anybody there the kernel answers that it does not know the attribute.
        try (SaClient client = SaClient.over(transport(), PATIENT)) {
            try (RoceSubnetAdministration silent = RoceSubnetAdministration.answering(umad, -1)) {
                CompletableFuture<?> ended = client.ended();
                CompletableFuture<ClassPortInfo> waiting = client.submit(ASK);
                assertThat(silent.next().status()).isZero();
                Await.Running<ClassPortInfo> calling = Await.inThread(() -> client.call(ASK));
                calling.untilInside("call");
                assertThat(isOpen()).isTrue();
                delete();
                assertThat(failureOf(ended)).isInstanceOf(RdmaException.class).hasMessageContaining("EIO");
                assertThat(failureOf(waiting)).hasMessageContaining("The device has gone");
                assertThat(calling.failure()).isInstanceOf(RdmaException.class);
            }
            Await.until(umad + " is let go by a client that nobody has closed", () -> !isOpen());
            assertThat(failureOf(client.submit(ASK))).isInstanceOf(RdmaException.class);
        }
    }

    @Test
    void aClientThatAsksAllTheTime() throws Exception {
        Queue<CompletableFuture<ClassPortInfo>> asked = new ConcurrentLinkedQueue<>();
        try (RoceSubnetAdministration there = RoceSubnetAdministration.answering(umad, 0);
                SaClient client = SaClient.over(transport(), PATIENT)) {
            CompletableFuture<?> ended = client.ended();
            List<Await.Running<Integer>> asking = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                asking.add(Await.inThread(() -> askUntilTheEnd(client, asked)));
            }
            assertThat(there.next().status()).isZero();
            Await.until("answers", () -> asked.stream().anyMatch(future -> !future.isCompletedExceptionally()));
            delete();
            assertThat(failureOf(ended)).isInstanceOf(RdmaException.class);
            for (Await.Running<Integer> one : asking) {
                assertThat(one.result()).isPositive();
            }
            for (CompletableFuture<ClassPortInfo> future : asked) {
                Await.until("the end of every request", future::isDone);
            }
        }
        Await.until(umad + " is let go", () -> !isOpen());
    }

    /** How many requests it made, the last of which failed. */
    private static int askUntilTheEnd(SaClient client, Queue<CompletableFuture<ClassPortInfo>> asked) throws Exception {
        for (int i = 1; ; i++) {
            CompletableFuture<ClassPortInfo> future = client.submit(ASK);
            asked.add(future);
            try {
                future.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException end) {
                return i;
            }
        }
    }

    @Test
    void theCommandThatWatches() throws Exception {
        StringWriter said = new StringWriter();
        CommandLine command = new CommandLine(new SaCommand((device, port) -> transport()))
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    line.getErr().println(e.getMessage());
                    return 1;
                });
        try (RoceSubnetAdministration there = RoceSubnetAdministration.answering(umad, 0)) {
            Await.Running<Integer> watching = Await.inThread(() -> command.execute("watch", "--renew", "10000"));
            Await.until("it watches", () -> said.toString().contains("watching " + DEVICE));
            assertThat(there.next().status()).isZero();
            delete();
            assertThat(watching.result()).as("%s", said).isEqualTo(1);
            assertThat(said).asString().contains("The device has gone");
        }
        Await.until(umad + " is let go", () -> !isOpen());
    }
}
