// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.perf.PerfProgram;
import java.util.ArrayList;
import java.util.List;

/** The benches of the suite, in the order of the reports. */
final class Suite {
    private static final double TIME_AIM = 1.05;
    private static final double RATE_AIM = 0.95;
    private static final double BLOCKED_AIM = 1.1;
    private static final double SET_UP_AIM = 1.1;
    private static final int LATENCY_ITERATIONS = 20_000;
    private static final int RATE_ITERATIONS = 100_000;
    private static final int BULK_ITERATIONS = 2000;
    private static final int SMALL = 64;
    private static final int LARGE = 1 << 16;
    private static final int THOUSAND = 1000;
    private static final int TEN_THOUSAND = 10_000;

    private Suite() {}

    static List<BenchPlan> plans() {
        List<BenchPlan> plans = new ArrayList<>();
        List<Guest> both = List.of(Guest.UML, Guest.VM);
        dataPath(plans);
        plans.add(setUp("connect_1000", "1,000 connections, steady", THOUSAND, both));
        plans.add(freshSetUp("connect_cold_1000", "1,000 connections, cold", THOUSAND, both));
        plans.add(setUp("connect_10000", "10,000 connections, steady", TEN_THOUSAND, List.of(Guest.UML)));
        plans.add(freshSetUp("connect_cold_10000", "10,000 connections, cold", TEN_THOUSAND, List.of(Guest.UML)));
        plans.add(new BenchPlan("start", StartBench.rows(), both, 1, StartBench::new));
        plans.addAll(StreamBench.plans(List.of(Guest.UML)));
        plans.add(NioBench.plan(List.of(Guest.UML)));
        plans.add(NioConnectBench.plan(List.of(Guest.UML)));
        plans.addAll(NettyBench.plans(both));
        plans.add(CrowdBench.plan(THOUSAND, List.of(Guest.UML)));
        plans.add(CrowdBench.plan(TEN_THOUSAND, List.of(Guest.UML)));
        plans.add(new BenchPlan("rss", MemoryBench.rows(), List.of(Guest.UML), 1, MemoryBench::new));
        return plans;
    }

    private static void dataPath(List<BenchPlan> plans) {
        for (int size : List.of(8, 64, 1024, 4096)) {
            PerfSpec spec = PerfSpec.polled(PerfProgram.SEND_LAT, size, LATENCY_ITERATIONS);
            plans.add(perf("send_lat_" + size, "send and receive, " + size + " B", spec, TIME_AIM));
        }
        PerfSpec write = PerfSpec.polled(PerfProgram.WRITE_LAT, SMALL, LATENCY_ITERATIONS);
        plans.add(perf("write_lat_64", "write, 64 B", write, TIME_AIM));
        PerfSpec read = PerfSpec.polled(PerfProgram.READ_LAT, SMALL, LATENCY_ITERATIONS);
        plans.add(perf("read_lat_64", "read, 64 B", read, TIME_AIM));
        PerfSpec atomic = PerfSpec.polled(PerfProgram.ATOMIC_LAT, Long.BYTES, LATENCY_ITERATIONS);
        plans.add(perf("atomic_lat", "fetch and add", atomic, TIME_AIM));
        PerfSpec sends = PerfSpec.polled(PerfProgram.SEND_BW, SMALL, RATE_ITERATIONS);
        plans.add(perf("send_rate_64", "sends of 64 B", sends, RATE_AIM));
        PerfSpec writes = PerfSpec.polled(PerfProgram.WRITE_BW, SMALL, RATE_ITERATIONS);
        plans.add(perf("write_rate_64", "writes of 64 B", writes, RATE_AIM));
        PerfSpec datagrams = new PerfSpec(PerfProgram.SEND_BW, SMALL, RATE_ITERATIONS, PerfSpec.Kind.DATAGRAMS);
        plans.add(perf("ud_rate_64", "datagrams of 64 B", datagrams, RATE_AIM));
        PerfSpec bulk = PerfSpec.polled(PerfProgram.SEND_BW, LARGE, BULK_ITERATIONS);
        plans.add(perf("send_bw_65536", "sends of 64 KiB", bulk, RATE_AIM));
        PerfSpec bulkWrites = PerfSpec.polled(PerfProgram.WRITE_BW, LARGE, BULK_ITERATIONS);
        plans.add(perf("write_bw_65536", "writes of 64 KiB", bulkWrites, RATE_AIM));
        PerfSpec blocked = new PerfSpec(PerfProgram.SEND_LAT, SMALL, LATENCY_ITERATIONS, PerfSpec.Kind.BLOCKED);
        plans.add(perf("send_lat_blocked_64", "blocked send and receive, 64 B", blocked, BLOCKED_AIM)
                .in(List.of(Guest.UML, Guest.VM), 1));
    }

    /** Both sides poll, so each needs a processor. */
    private static BenchPlan perf(String name, String title, PerfSpec spec, double aim) {
        List<Row> rows = PerfBench.rows(name, title, spec, aim);
        return new BenchPlan(name, rows, List.of(Guest.VM), 2, place -> new PerfBench(name, spec, place));
    }

    private static BenchPlan setUp(String name, String title, int connections, List<Guest> guests) {
        List<Row> rows = CmtimePrograms.rows(name, title, SET_UP_AIM);
        return new BenchPlan(
                name, rows, guests, 1, place -> new SetUpBench(new CmtimePrograms(place), name, connections));
    }

    private static BenchPlan freshSetUp(String name, String title, int connections, List<Guest> guests) {
        List<Row> rows = CmtimePrograms.rows(name, title, Double.NaN);
        return new BenchPlan(
                name, rows, guests, 1, place -> new SetUpBench.Fresh(new CmtimePrograms(place), name, connections));
    }
}
