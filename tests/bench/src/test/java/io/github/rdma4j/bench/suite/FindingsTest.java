// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindingsTest {
    private static final BenchPlan PLAN =
            new BenchPlan("lat", List.of(Samples.LATENCY, Samples.SHOWN), List.of(Guest.UML, Guest.VM), 1, place -> {
                throw new IllegalStateException("does not run");
            });

    @TempDir
    Path directory;

    private Path recorded() throws IOException {
        Path file = directory.resolve("results");
        try (Recorder recorder = Recorder.appendingTo(file)) {
            recorder.machine(new Machine("QEMU with KVM", "6.1", "rxe0", 2));
            recorder.sample("lat", Bench.Side.C, new Bench.Sample(Map.of("lat_p50", 8.5), OptionalDouble.empty()));
            recorder.sample("lat", Bench.Side.JAVA, new Bench.Sample(Map.of("lat_p50", 9.0), OptionalDouble.of(0)));
            recorder.sample("lat", Bench.Side.JAVA, new Bench.Sample(Map.of("lat_p50", 9.5), OptionalDouble.of(2)));
            recorder.text(Recorder.NOTE, "lat", "two\tlines\nof text");
            recorder.text(Recorder.LEFT_OUT, "other", "why");
            recorder.text(Recorder.FAILURE, "third", "how");
        }
        return file;
    }

    @Test
    void readsWhatWasRecorded() throws IOException {
        Findings findings = new Findings();

        findings.read(recorded(), Guest.UML, List.of(PLAN));

        assertThat(findings.machines()).containsEntry(Guest.UML, new Machine("QEMU with KVM", "6.1", "rxe0", 2));
        assertThat(findings.bytes()).containsExactly(Map.entry("lat", 0.0));
        assertThat(findings.notes()).containsExactly(Map.entry("lat", "two lines of text"));
        assertThat(findings.leftOut()).containsExactly(Map.entry("other", "why"));
        assertThat(findings.failures()).containsExactly(Map.entry("third", "how"));
    }

    /** The second turn in C is missing, and the other row has nothing. */
    @Test
    void usesWholeTurnsOnly() throws IOException {
        Findings findings = new Findings();

        findings.read(recorded(), Guest.UML, List.of(PLAN));

        assertThat(findings.results())
                .containsExactly(new Result("lat_p50", Samples.LATENCY, Guest.UML, List.of(8.5), List.of(9.0)));
    }

    @Test
    void takesJavaAloneWhereThereIsNothingInC() throws IOException {
        Path file = directory.resolve("alone");
        try (Recorder recorder = Recorder.appendingTo(file)) {
            recorder.sample("lat", Bench.Side.JAVA, Bench.Sample.of(Map.of("lat_p50", 9.0)));
            recorder.sample("lat", Bench.Side.JAVA, Bench.Sample.of(Map.of("lat_p50", 9.5)));
        }
        Findings findings = new Findings();

        findings.read(file, Guest.UML, List.of(PLAN));

        assertThat(findings.results())
                .containsExactly(new Result("lat_p50", Samples.LATENCY, Guest.UML, List.of(), List.of(9.0, 9.5)));
    }

    @Test
    void marksWhatRanInAnotherGuestThanItsFirst() throws IOException {
        Findings findings = new Findings();

        findings.read(recorded(), Guest.VM, List.of(PLAN));

        assertThat(findings.results()).extracting(Result::name).containsExactly("lat_p50_vm");
        assertThat(findings.notes()).containsOnlyKeys("lat_vm");
    }

    @Test
    void refusesWhatItDoesNotKnow() throws IOException {
        Path file = Files.writeString(directory.resolve("bad"), "figures\tlat_p50\tC\t1\n");

        assertThatThrownBy(() -> new Findings().read(file, Guest.UML, List.of(PLAN)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("figures");
    }
}
