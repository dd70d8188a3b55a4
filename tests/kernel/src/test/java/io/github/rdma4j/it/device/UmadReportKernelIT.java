// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.it.support.Netdev;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.umad.UmadDevice;
import io.github.rdma4j.umad.UmadDevice.HeaderLayout;
import io.github.rdma4j.umad.UmadPort;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests that come from outside, and a device that goes while its umad file is open. */
@RequiresKernel
class UmadReportKernelIT {
    @Test
    void receivesReportsAndAnswersThem() throws Exception {
        try (RoceSubnetAdministration there = RoceSubnetAdministration.answering(-1);
                UmadPort port = UmadPort.open(Rxe.DEVICE, 1)) {
            port.listenForReports();
            ByteBuffer report = ByteBuffer.allocate(MadHeader.MAD_BYTES);
            new MadHeader(3, 2, SaMethods.REPORT, 0, 0x4711, 2, 0).encode(report, 0);
            there.report(RoceSubnetAdministration.address(), report);
            ReceivedMad received = port.receive(RoceSubnetAdministration.PATIENT, RoceSubnetAdministration.LONGEST)
                    .orElseThrow();
            MadHeader header = MadHeader.decode(received.mad());
            assertThat(header.method()).isEqualTo(SaMethods.REPORT);
            ByteBuffer answer = received.mad().put(MadHeader.Layout.METHOD, (byte) SaMethods.REPORT_RESP);
            port.send(received.from(), answer, Duration.ZERO, 0);
            ReceivedMad answered = there.next();
            assertThat(answered.status()).isZero();
            assertThat(MadHeader.decode(answered.mad()).method()).isEqualTo(SaMethods.REPORT_RESP);
            assertThat(MadHeader.decode(answered.mad()).ownTransactionId()).isEqualTo(0x4711);
        }
    }

    @Test
    void endsWhenTheDeviceIsRemoved() throws Exception {
        try (Netdev netdev = Netdev.dummy("veth8", "10.98.0.1/24")) {
            Program.run("rdma", "link", "add", "rxe8", "type", "rxe", "netdev", netdev.name());
            String umad = RoceSubnetAdministration.umadOf("rxe8");
            Path node = Path.of("/dev/infiniband", umad);
            Await.until(node + " is there", () -> Files.exists(node));
            try (UmadDevice device = UmadDevice.open(Kernel.running(), umad, HeaderLayout.WITH_PKEY_INDEX)) {
                Await.Running<Optional<ReceivedMad>> waiter = Await.inThread(
                                () -> device.receive(Duration.ofSeconds(100), RoceSubnetAdministration.LONGEST))
                        .untilInside("awaitHooked");
                Program.run("rdma", "link", "delete", "rxe8");
                assertThat(waiter.failure())
                        .isInstanceOfSatisfying(
                                ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO))
                        .hasMessageContaining("The device has gone");
            }
        }
    }
}
