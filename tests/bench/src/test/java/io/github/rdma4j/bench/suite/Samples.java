// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import java.util.List;

/** Made-up results for the reports. */
final class Samples {
    static final Row LATENCY =
            new Row("lat_p50", "send <64 B> & back, median", "ib_send_lat", Row.Unit.MICROSECONDS, 1.05);
    static final Row RATE = new Row("rate", "messages of 64 B", "ib_send_bw", Row.Unit.PER_SECOND, 0.95);
    static final Row SHOWN = Row.shown("start", "start", "connections.c", Row.Unit.MILLISECONDS);

    private Samples() {}

    static Findings findings() {
        Findings findings = new Findings();
        findings.add(Guest.UML, new Machine("User Mode Linux", "7.2.13", "rxe0", 1));
        findings.add(Guest.VM, new Machine("QEMU without KVM", "6.1.0", "rxe0", 2));
        findings.add(result(LATENCY, Guest.VM, List.of(8.0, 10.0, 9.0), List.of(8.0, 11.0, 9.0)));
        findings.add(result(RATE, Guest.VM, List.of(100.0, 100.0, 200.0), List.of(80.0, 90.0, 200.0)));
        findings.add(result(SHOWN, Guest.UML, List.of(2.0, 2.0, 2.0), List.of(100.0, 120.0, 110.0)));
        findings.bytes().put("lat", 0.0);
        findings.bytes().put("rate", 16.0);
        findings.notes().put("start", "a remark");
        findings.leftOut().put("polled", "needs 2 processors");
        findings.failures().put("blocked", "the peer has gone");
        return findings;
    }

    private static Result result(Row row, Guest guest, List<Double> c, List<Double> java) {
        return new Result(row.name(), row, guest, c, java);
    }
}
