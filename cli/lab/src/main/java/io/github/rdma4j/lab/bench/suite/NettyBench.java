// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import io.github.rdma4j.lab.netty.NettyEchoes;
import java.util.List;

/** A program with Netty over RDMA, beside Netty's NIO over TCP in the same guest. No aim: soft devices cost more than TCP. */
final class NettyBench extends TalkingBench {
    private static final int FIRST_PORT = 7910;

    private NettyBench(List<Row> rows, Place place) {
        super(NettyEchoes.class, rows, place, FIRST_PORT);
    }

    /** The benches of Netty's transport. */
    static List<BenchPlan> plans(List<Guest> guests) {
        List<Row> rows = NettyEchoes.CONNECTIONS.stream()
                .map(connections -> Row.shown(
                        NettyEchoes.figure(connections),
                        "Netty, echoes of 64 B, connections: " + connections,
                        "NIO over TCP",
                        Row.Unit.PER_SECOND))
                .toList();
        return List.of(new BenchPlan("netty_echo", rows, guests, 1, place -> new NettyBench(rows, place)));
    }

    @Override
    List<String> arguments(Side side) {
        return List.of(side == Side.JAVA ? NettyEchoes.RDMA : NettyEchoes.TCP);
    }

    @Override
    public String remark() {
        return "the figures of C are those of Netty's NIO over TCP";
    }
}
