// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.disni.DarpcCalls;
import io.github.rdma4j.bench.disni.DisniProvider;
import io.github.rdma4j.bench.disni.RoundTrips;
import java.nio.file.Files;
import java.util.List;

/** A program that uses DiSNI's API, over libdisni if the suite was given one, and over rdma4j. */
final class DisniBench extends TalkingBench {
    private static final double TIME_AIM = 1.1;

    /** The rate at 1.1 times the time. */
    private static final double RATE_AIM = 0.91;

    private static final String BESIDE = "libdisni";
    private static final int FIRST_PORT = 7900;

    DisniBench(Class<?> program, List<Row> rows, Place place) {
        super(program, rows, place, FIRST_PORT);
    }

    /** The benches of DiSNI's API. */
    static List<BenchPlan> plans(List<Guest> guests) {
        return List.of(
                plan("disni_blocked", RoundTrips.class, guests, roundTrips()),
                plan("darpc", DarpcCalls.class, guests, darpcCalls()));
    }

    private static BenchPlan plan(String name, Class<?> program, List<Guest> guests, List<Row> rows) {
        return new BenchPlan(name, rows, guests, 1, place -> new DisniBench(program, rows, place));
    }

    private static List<Row> roundTrips() {
        String title = "DiSNI, blocked round trip, 64 B";
        return List.of(new Row(RoundTrips.FIGURE, title, BESIDE, Row.Unit.MICROSECONDS, TIME_AIM));
    }

    private static List<Row> darpcCalls() {
        return List.of(
                new Row(DarpcCalls.FUTURES, "DaRPC, calls by future", BESIDE, Row.Unit.PER_SECOND, RATE_AIM),
                new Row(DarpcCalls.STREAM, "DaRPC, calls by stream", BESIDE, Row.Unit.PER_SECOND, RATE_AIM));
    }

    @Override
    public boolean hasC() {
        return Files.exists(place().programs().resolve(DisniProvider.LIBRARY));
    }

    @Override
    List<String> jvmOptions(Side side) {
        DisniProvider provider = side == Side.JAVA ? DisniProvider.RDMA4J : DisniProvider.LIBDISNI;
        return provider.jvmOptions(place().programs());
    }

    @Override
    public String remark() {
        return hasC() ? "" : "over rdma4j alone; --libdisni FILE compares with libdisni";
    }
}
