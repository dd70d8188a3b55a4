// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.umad.AgentOptions;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.umad.UmadDevice;
import io.github.rdma4j.umad.UmadDevice.HeaderLayout;
import io.github.rdma4j.umad.UmadPort;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * What RoCE does not have: somebody who answers requests of subnet administration, at the port itself. MADs go out
 * through the device's queue pair 1 with a GRH and come back, so that the kernel's umad does all that it does on
 * InfiniBand: agents, transaction ids, timeouts, RMPP.
 */
final class RoceSubnetAdministration implements AutoCloseable {
    static final String UMAD = "umad0";

    /** Longer than anything takes in a guest under emulation. */
    static final Duration PATIENT = Duration.ofSeconds(50);

    /** Longer than any table here. */
    static final int LONGEST = 64 << 20;

    private static final int MLID = 36;
    private static final int TABLE_RECORD = 56;
    private static final int SM_LID = 1;

    private final UmadDevice device;
    private final UmadDevice.Agent agent;
    private final int records;
    private final Await.Running<Void> loop;
    private final BlockingQueue<ReceivedMad> seen = new LinkedBlockingQueue<>();

    private RoceSubnetAdministration(String umad, int records) throws RdmaException {
        this.records = records;
        device = UmadDevice.open(Kernel.running(), umad, HeaderLayout.WITH_PKEY_INDEX);
        agent = device.register(AgentOptions.SUBNET_ADMINISTRATION.toBuilder()
                .method(SaMethods.GET)
                .method(SaMethods.SET)
                .method(SaMethods.GET_TABLE)
                .build());
        loop = Await.inThread(this::run);
    }

    /**
     * Answers Get and Set with zeros and GetTable with {@code records} groups, whose MLIDs count from 0; below 0 with
     * silence.
     */
    static RoceSubnetAdministration answering(int records) throws RdmaException {
        return answering(UMAD, records);
    }

    /** The same at another port. */
    static RoceSubnetAdministration answering(String umad, int records) throws RdmaException {
        return new RoceSubnetAdministration(umad, records);
    }

    /** The umad of the port of a device. */
    static String umadOf(String device) throws IOException {
        try (Stream<Path> umads = Files.list(Path.of("/sys/class/infiniband_mad"))) {
            for (Path umad : umads.filter(Files::isDirectory).toList()) {
                if (umad.getFileName().toString().startsWith("umad")
                        && Files.readString(umad.resolve("ibdev")).strip().equals(device)) {
                    return umad.getFileName().toString();
                }
            }
        }
        throw new AssertionError("no umad of " + device);
    }

    static MadAddress address() throws Exception {
        return address(Rxe.DEVICE, Rxe.IPV6);
    }

    /** The port's own address. IPv6, for with a GID of IPv4 the kernel does not recognize the answer to a request. */
    static MadAddress address(String device, String ipv6) throws Exception {
        Gid gid = Gid.of(InetAddress.getByName(ipv6));
        Path gids = Path.of("/sys/class/infiniband", device, "ports/1/gids");
        int index = 0;
        while (!Files.readString(gids.resolve(String.valueOf(index))).strip().equals(gid.toString())) {
            index++;
        }
        return address(gid, index);
    }

    static MadAddress address(Gid gid, int gidIndex) {
        return new MadAddress(
                0,
                0,
                MadAddress.GSI_QPN,
                MadAddress.GSI_QKEY,
                0,
                Optional.of(new MadAddress.Grh(gid, gidIndex, 64, 0, 0)));
    }

    /** What arrived next. */
    ReceivedMad next() throws InterruptedException {
        return seen.take();
    }

    /** Sends a report and expects an answer. */
    void report(MadAddress to, ByteBuffer mad) throws RdmaException {
        device.send(agent, to, mad, PATIENT, 0);
    }

    private Void run() throws Exception {
        try {
            while (true) {
                Optional<ReceivedMad> mad = device.receive(PATIENT, LONGEST);
                if (mad.isPresent()) {
                    seen.add(mad.get());
                    answer(mad.get());
                }
            }
        } catch (ClosedWhileWaitingException | IllegalStateException closed) {
            return null;
        }
    }

    private void answer(ReceivedMad request) throws RdmaException {
        if (request.status() != 0 || records < 0) {
            return;
        }
        int method = MadHeader.decode(request.mad()).method();
        if (method == SaMethods.GET || method == SaMethods.SET) {
            device.send(agent, request.from(), asAnswer(request.mad(), MadHeader.MAD_BYTES), Duration.ZERO, 0);
        } else if (method == SaMethods.GET_TABLE) {
            device.send(agent, request.from(), table(request.mad()), PATIENT, 0);
        }
    }

    private ByteBuffer table(ByteBuffer request) {
        ByteBuffer mad = asAnswer(request, SaHeader.Layout.END + TABLE_RECORD * records);
        new RmppHeader(RmppHeader.VERSION, RmppHeader.DATA, RmppHeader.ACTIVE, 0, 0, 0).encode(mad);
        mad.putShort(SaHeader.Layout.ATTRIBUTE_OFFSET, (short) (TABLE_RECORD / 8));
        for (int i = 0; i < records; i++) {
            mad.putShort(SaHeader.Layout.END + TABLE_RECORD * i + MLID, (short) i);
        }
        return mad;
    }

    private static ByteBuffer asAnswer(ByteBuffer request, int bytes) {
        ByteBuffer mad = ByteBuffer.allocate(bytes).put(0, request, 0, SaHeader.Layout.END);
        int method = request.get(MadHeader.Layout.METHOD);
        mad.put(MadHeader.Layout.METHOD, (byte) SaMethods.responseTo(method));
        return mad;
    }

    /** A port that seems to be one of InfiniBand, and whose subnet manager is at {@link #address()}. */
    static MadTransport transport(UmadPort port) throws Exception {
        return transport(port, address());
    }

    /** The same at another port. */
    static MadTransport transport(UmadPort port, MadAddress address) {
        return new MadTransport() {
            @Override
            public LocalPort port() throws RdmaException {
                LocalPort real = port.port();
                return new LocalPort(
                        real.device(),
                        real.port(),
                        real.rawState(),
                        LinkLayer.INFINIBAND,
                        1,
                        0,
                        SM_LID,
                        0,
                        real.gid(),
                        List.of(0xffff));
            }

            @Override
            public void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException {
                port.send(address, mad, timeout, retries);
            }

            @Override
            public Optional<ReceivedMad> receive(Duration timeout, int maxBytes)
                    throws RdmaException, InterruptedException {
                return port.receive(timeout, maxBytes)
                        .map(mad -> new ReceivedMad(mad.status(), MadAddress.generalServices(SM_LID, 0), mad.mad()));
            }

            @Override
            public boolean reassembles() {
                return port.reassembles();
            }

            @Override
            public void listenForReports() throws RdmaException {
                port.listenForReports();
            }

            @Override
            public void close() {
                port.close();
            }
        };
    }

    @Override
    public void close() {
        device.close();
        Await.until("nobody answers any more", loop::isDone);
    }
}
