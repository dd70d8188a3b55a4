// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.suite;

import java.util.ArrayList;
import java.util.List;

/** The benches of the suite, in the order of the reports. */
final class Suite {
    private static final double SET_UP_AIM = 1.1;
    private static final int THOUSAND = 1000;
    private static final int TEN_THOUSAND = 10_000;

    private Suite() {}

    static List<BenchPlan> plans() {
        List<BenchPlan> plans = new ArrayList<>();
        List<Guest> both = List.of(Guest.UML, Guest.VM);
        plans.add(setUp("connect_1000", "1,000 connections, steady", THOUSAND, both));
        plans.add(freshSetUp("connect_cold_1000", "1,000 connections, cold", THOUSAND, both));
        plans.add(setUp("connect_10000", "10,000 connections, steady", TEN_THOUSAND, List.of(Guest.UML)));
        plans.add(freshSetUp("connect_cold_10000", "10,000 connections, cold", TEN_THOUSAND, List.of(Guest.UML)));
        plans.add(new BenchPlan("start", StartBench.rows(), both, 1, StartBench::new));
        plans.add(new BenchPlan("rss", MemoryBench.rows(), List.of(Guest.UML), 1, MemoryBench::new));
        return plans;
    }

    private static BenchPlan setUp(String name, String title, int connections, List<Guest> guests) {
        List<Row> rows = CmtimePrograms.rows(name, title, SET_UP_AIM);
        return new BenchPlan(
                name, rows, guests, 1, place -> new SetUpBench(new CmtimePrograms(place), name, connections));
    }

    private static BenchPlan freshSetUp(String name, String title, int connections, List<Guest> guests) {
        List<Row> rows = CmtimePrograms.rows(name, title, Double.NaN);
        return new BenchPlan(
                name, rows, guests, 1, place -> new FreshSetUpBench(new CmtimePrograms(place), name, connections));
    }
}
