// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;
import static io.github.rdma4j.cli.verify.Check.LeftOutException.leaveOutIf;

import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.cli.verify.ProgramChecks.Program;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Java and the pingpong programs of libibverbs, which need no connection manager: they exchange their queue pairs over
 * TCP. The programs send received data back.
 */
final class PingpongChecks {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int ROUNDS = 500;
    private static final int SIZE = 1000;

    /** {@code LID:QPN:PSN:GID} in hexadecimal, with a terminating zero. */
    private static final int DESTINATION_BYTES = 52;

    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    private static final int PSN = 0x4321;
    private static final int HEX = 16;

    private PingpongChecks() {}

    static List<Check> all() {
        return Stream.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD)
                .map(type -> new Check(
                                type + ": server in C (" + program(type) + "), client in Java",
                                LIMIT,
                                card -> run(card, type))
                        .exceptOnIwarp("connects by the connection manager only"))
                .toList();
    }

    private static String program(QueuePairType type) {
        return "ibv_" + type.name().toLowerCase(Locale.ROOT) + "_pingpong";
    }

    private static String run(Card card, QueuePairType type) throws Exception {
        ProgramChecks.requireKernel(card);
        leaveOutIf(
                !Program.isInstalled(program(type)),
                program(type) + " is not installed (Debian package ibverbs-utils)");
        int port = Program.Place.at("").port();
        List<String> command =
                new ArrayList<>(List.of(program(type), "-d", card.device().name()));
        command.addAll(List.of("-i", "" + card.portNumber(), "-p", "" + port, "-n", "" + ROUNDS, "-s", "" + SIZE));
        if (type != QueuePairType.UD) {
            command.addAll(List.of("-m", "" + card.mtu()));
        }
        if (card.isEthernet()) {
            command.addAll(List.of("-g", "" + card.gid().gidIndex()));
        }
        try (PeerProcess peer = PeerProcess.start(command);
                DeviceContext context = card.open()) {
            peer.awaitTcpListening(port, LIMIT);
            ProtectionDomain pd = context.allocatePd();
            Side side = new Side(context, pd, Wire.Setup.of(type), card.access());
            try (AddressHandle way = pd.createAh(card.way())) {
                exchange(card, side, way, port);
            }
            int status = peer.await(LIMIT);
            expect(status == 0, "the server ended with status " + status + ":\n" + peer.output());
        }
        return ROUNDS + " messages each way";
    }

    private static void exchange(Card card, Side side, AddressHandle way, int port) throws Exception {
        boolean datagrams = side.qp.type() == QueuePairType.UD;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            String own = destination(card, side.qp.qpn());
            socket.getOutputStream().write(own.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(DESTINATION_BYTES);
            expect(answer.length == DESTINATION_BYTES, "the server hung up");
            String[] peer = new String(answer, StandardCharsets.US_ASCII).split(":", -1);
            int qpn = Integer.parseInt(peer[1], HEX);
            if (datagrams) {
                Wire.ready(card, side.qp);
            } else {
                Wire.initialize(card, side.qp);
                Wire.receive(card, side.qp, qpn, Integer.parseInt(peer[2], HEX));
                Wire.send(side.qp, PSN, true);
            }
            side.fill(1);
            for (int i = 0; i < ROUNDS; i++) {
                side.receive(2, SIZE, Grh.BYTES + SIZE);
                if (i == 0) {
                    // the server may answer from now on
                    socket.getOutputStream().write(DONE);
                }
                side.buffer.putInt(0, i);
                SendWorkRequest request = side.request(1, SIZE).send();
                side.post(datagrams ? request.to(way, qpn, Wire.QKEY) : request);
                expectEcho(side, datagrams ? Grh.BYTES : 0);
            }
        }
    }

    private static void expectEcho(Side side, int header) throws Check.CheckFailedException {
        for (int completions = 0; completions < 2; completions++) {
            WorkCompletion completion = side.completion();
            expect(completion.isSuccess(), "the completion is " + completion);
            if (completion.wrId() == 2) {
                expect("number of bytes", completion.byteLength(), header + SIZE);
            }
        }
        int wrong = side.buffer.slice(SIZE + header, SIZE).mismatch(side.buffer.slice(0, SIZE));
        expect(wrong < 0, "byte " + wrong + " came back changed");
    }

    private static String destination(Card card, int qpn) {
        Gid gid = card.gid().gid();
        return String.format(
                Locale.ROOT,
                "%04x:%06x:%06x:%016x%016x\0",
                card.port().lid(),
                qpn,
                PSN,
                gid.prefix(),
                gid.interfaceId());
    }
}
