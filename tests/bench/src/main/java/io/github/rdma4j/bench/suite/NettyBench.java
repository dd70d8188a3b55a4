// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.netty.NettyEchoes;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A program with Netty on the native wire, beside Netty's NIO in the same guest: over the provider of rdma4j, and over TCP.
 * Beside TCP it has no aim: soft devices cost more.
 */
final class NettyBench extends TalkingBench {
    private static final int FIRST_PORT = 7910;

    private final String name;
    private final NettyEchoes.Way other;

    private NettyBench(String name, NettyEchoes.Way other, List<Row> rows, Place place) {
        super(NettyEchoes.class, rows, place, FIRST_PORT);
        this.name = name;
        this.other = other;
    }

    /** The benches of Netty's transport. */
    static List<BenchPlan> plans(List<Guest> guests) {
        return List.of(
                plan("netty_echo", NettyEchoes.Way.PROVIDER, "NIO over the provider", 1, guests),
                plan("netty_echo_tcp", NettyEchoes.Way.TCP, "NIO over TCP", Double.NaN, guests));
    }

    private static BenchPlan plan(String name, NettyEchoes.Way other, String beside, double aim, List<Guest> guests) {
        IntFunction<Row> row = connections -> new Row(
                NettyEchoes.figure(name, connections),
                "Netty, echoes of 64 B, connections: " + connections,
                beside,
                Row.Unit.PER_SECOND,
                aim);
        List<Row> rows = NettyEchoes.CONNECTIONS.stream().map(row::apply).toList();
        return new BenchPlan(name, rows, guests, 1, place -> new NettyBench(name, other, rows, place));
    }

    /** Without the rule, a connect that takes long on a busy machine would go over TCP. */
    @Override
    List<String> jvmOptions(Side side) {
        return List.of("-Dio.github.rdma4j.nio.rules=fallback none");
    }

    @Override
    List<String> arguments(Side side) {
        return List.of((side == Side.JAVA ? NettyEchoes.Way.NATIVE : other).name(), name);
    }

    @Override
    public String remark() {
        return "the figures of C are those of Netty's "
                + (other == NettyEchoes.Way.TCP ? "NIO over TCP" : "NIO over RDMA");
    }
}
