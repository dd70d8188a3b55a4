// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.netty.NettyEchoes;
import java.util.List;

/**
 * A program with Netty on the native wire, beside Netty's NIO in the same guest, over the provider of rdma4j and over TCP, and
 * beside rsocket's wire. Beside TCP it has no aim: soft devices cost more.
 */
final class NettyBench {
    private static final int FIRST_PORT = 7910;

    private NettyBench() {}

    /** The benches of Netty's transport. */
    static List<BenchPlan> plans(List<Guest> guests) {
        return List.of(
                plan("netty_echo", NettyEchoes.Way.PROVIDER, 1, false, guests),
                plan("netty_echo_tcp", NettyEchoes.Way.TCP, Double.NaN, false, guests),
                plan("netty_wires", NettyEchoes.Way.RSOCKET, Double.NaN, true, guests));
    }

    private static BenchPlan plan(String name, NettyEchoes.Way other, double aim, boolean all, List<Guest> guests) {
        List<Row> rows = (all ? NettyEchoes.ALL : NettyEchoes.ECHOES)
                .stream()
                        .map(load -> new Row(
                                load.figure(name),
                                "Netty, echoes of " + load.bytes() + " B, connections: " + load.connections()
                                        + (load.underWay() == 1 ? "" : ", " + load.underWay() + " under way"),
                                beside(other),
                                Row.Unit.PER_SECOND,
                                aim))
                        .toList();
        TalkingBench.Program program = new TalkingBench.Program(
                NettyEchoes.class,
                FIRST_PORT,
                side -> List.of(
                        (side == Bench.Side.JAVA ? NettyEchoes.Way.NATIVE : other).name(), name, String.valueOf(all)),
                beside(other));
        return new BenchPlan(name, rows, guests, 1, place -> new TalkingBench(program, rows, place));
    }

    private static String beside(NettyEchoes.Way other) {
        return switch (other) {
            case TCP -> "NIO over TCP";
            case RSOCKET -> "rsocket's wire";
            default -> "NIO over the provider";
        };
    }
}
