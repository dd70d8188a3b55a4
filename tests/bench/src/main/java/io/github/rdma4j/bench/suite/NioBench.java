// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.nio.RoundTrips;
import java.util.List;

/** What a channel of NIO over rdma4j's provider takes longer than the stream below it, used by itself. */
final class NioBench extends TalkingBench {
    private static final String NAME = "nio";
    private static final double AIM = 1.3;
    private static final int FIRST_PORT = 7930;

    private static final List<Row> ROWS = RoundTrips.SIZES.stream()
            .map(size -> new Row(
                    RoundTrips.figure(size),
                    "channel of NIO, " + size + " B there and back",
                    "RsocketChannel",
                    Row.Unit.MICROSECONDS,
                    AIM))
            .toList();

    private NioBench(Place place) {
        super(RoundTrips.class, ROWS, place, FIRST_PORT);
    }

    static BenchPlan plan(List<Guest> guests) {
        return new BenchPlan(NAME, ROWS, guests, 1, NioBench::new);
    }

    /** Without the rule, a connect that takes long on a busy machine would go over TCP. */
    @Override
    List<String> jvmOptions(Side side) {
        return List.of("-Dio.github.rdma4j.nio.rules=fallback none");
    }

    @Override
    List<String> arguments(Side side) {
        return List.of((side == Side.JAVA ? RoundTrips.Kind.NIO : RoundTrips.Kind.RSOCKET).name());
    }

    @Override
    public String remark() {
        return "the figures of C are those of RsocketChannel";
    }
}
