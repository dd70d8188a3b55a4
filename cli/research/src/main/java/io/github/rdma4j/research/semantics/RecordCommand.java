// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.Behaviour.Schedule;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.behaviour.Net;
import io.github.rdma4j.research.semantics.behaviour.Trial;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.HostKernel;
import io.github.rdma4j.research.semantics.kernel.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Recording;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import io.github.rdma4j.testbed.TestbedMain;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelRelease;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code semantics record}: boots guests, and is the program that records in them. */
@CommandLine.Command(
        name = "record",
        description = {
            "Records what a kernel does, in guests of the testbed with that kernel.",
            "Records everything in about ten minutes, unless --situation or --behaviour name what to record.",
            "With --on host, records the kernel of this machine instead, which needs a soft-RoCE device of its own."
                    + " Soft-RoCE is under development: take a machine that may crash."
        },
        footer = {
            "",
            "Examples:",
            "  ./rdma4j semantics record --kernel 6.12",
            "  ./rdma4j semantics record --quick --passes 1 --situation 'UD_*' --behaviour C27,F3",
            "  ./rdma4j semantics diff 6.1 6.12 --tables semantics-tables"
        })
final class RecordCommand extends RdmaCommand {
    private static final int FAILURE = 1;
    private static final String HOST = "host";
    private static final String UML = "uml";
    private static final String IB = "ib";
    private static final String GUEST_LIMIT_SECONDS = "5400";

    /** Which of the guests this program runs in; hidden from users. */
    enum Part {
        /** The situations, and the behaviours that leave the device in place. */
        SHARED,
        /** The behaviours that remove the device. */
        OWN_GUEST
    }

    @Option(names = "--kernel", paramLabel = "V", description = "The kernel to record; see ./rdma4j testbed --help.")
    private String kernel = KernelRelease.DEFAULT.series();

    @Option(
            names = "--on",
            paramLabel = "vm|uml|host",
            description =
                    "Record in guests in QEMU (vm), in guests in User Mode Linux, which have a kernel of their own (uml),"
                            + " or the kernel of this machine (host): as root, with the device rxe0 on veth0 and the testbed's"
                            + " addresses; what removes the device is then left out.")
    private String where = "vm";

    @Option(
            names = "--device",
            paramLabel = "rxe|ib",
            description =
                    "Record on soft-RoCE (rxe), or on InfiniBand in software (ib), which guests in User Mode Linux have; the"
                            + " table is then that of a kernel of its own, such as 7.2-ib.")
    private String device = "rxe";

    @Option(
            names = "--tables",
            paramLabel = "DIR",
            description =
                    "Write the kernel's table to DIR (${DEFAULT-VALUE}). Of a table that is there already, what is"
                            + " not recorded now is kept.")
    private Path directory = Path.of("semantics-tables");

    @Option(
            names = "--passes",
            paramLabel = "N",
            description = "How often to record each situation, at least 1 (${DEFAULT-VALUE}). A cell that does not come"
                    + " out the same every time has several observations.")
    private int passes = 3;

    @Option(names = "--quick", description = "Leave out what takes minutes because it waits for timers of the kernel.")
    private boolean quick;

    @Option(
            names = "--situation",
            paramLabel = "NAME",
            split = ",",
            description = "Only these situations; names, patterns such as 'UD_*', or states of the library.")
    private List<String> situations = new ArrayList<>();

    @Option(names = "--behaviour", paramLabel = "KEY", split = ",", description = "Only these behaviours, such as C27.")
    private List<String> behaviours = new ArrayList<>();

    @Option(names = "--inside", hidden = true)
    private @Nullable Part part;

    @Override
    public Integer call() throws Exception {
        require(passes >= 1, "--passes " + passes + " is less than 1");
        List<Behaviour> chosen = chosenBehaviours();
        Set<Situation> places = chosenSituations();
        if (part != null) {
            return recordHere(part, places, chosen);
        }
        checkKernel();
        checkDevice();
        Files.createDirectories(directory);
        if (where.equals(HOST)) {
            return recordHost(places, chosen);
        }
        require(List.of("vm", UML).contains(where), "--on takes vm, uml or host, not " + where);
        int status = 0;
        if (!places.isEmpty() || !of(chosen, Part.SHARED).isEmpty()) {
            status = boot(Part.SHARED);
        }
        List<Behaviour> removals = of(chosen, Part.OWN_GUEST);
        if (where.equals(UML)) {
            leaveOut(removals);
        } else if (status == 0 && !removals.isEmpty()) {
            status = boot(Part.OWN_GUEST);
        }
        return status;
    }

    // Their experiments look in /proc/PID/stack where a deletion waits, which User Mode Linux does not have.
    private void leaveOut(List<Behaviour> behaviours) {
        if (!behaviours.isEmpty()) {
            String keys = behaviours.stream().map(Behaviour::key).collect(Collectors.joining(", "));
            err().println("semantics: left out, because User Mode Linux does not show where a process waits: " + keys);
        }
    }

    private int recordHost(Set<Situation> places, List<Behaviour> chosen) throws Exception {
        List<String> missing = HostKernel.missing();
        if (!missing.isEmpty()) {
            err().println("semantics: this machine cannot be recorded: " + String.join("; ", missing));
            err().println("semantics: as root,");
            HostKernel.SET_UP.forEach(line -> err().println("  " + line));
            return FAILURE;
        }
        Set<Situation> kept = EnumSet.noneOf(Situation.class);
        places.stream()
                .filter(situation -> !situation.name().startsWith("REMOVED_"))
                .forEach(kept::add);
        return recordHere(Part.SHARED, kept, chosen);
    }

    private boolean isEverything() {
        return situations.isEmpty() && behaviours.isEmpty();
    }

    private boolean isInfiniBand() {
        return Adapter.IS_INFINIBAND || device.equals(IB);
    }

    private Set<Situation> chosenSituations() {
        Set<Situation> chosen =
                isEverything() ? EnumSet.allOf(Situation.class) : new Names(this::wrong).situations(situations);
        chosen.removeIf(situation -> situation.isOfInfiniBandOnly() && !isInfiniBand());
        return chosen;
    }

    private List<Behaviour> chosenBehaviours() {
        Names names = new Names(this::wrong);
        List<Behaviour> chosen = isEverything()
                ? Behaviours.all().stream().filter(Behaviour::isMeasurable).toList()
                : behaviours.stream().map(names::behaviour).toList();
        for (Behaviour behaviour : chosen) {
            require(behaviour.isMeasurable(), behaviour.key() + " has no experiment; see show " + behaviour.key());
        }
        return chosen.stream()
                .filter(behaviour -> !quick || behaviour.schedule() != Schedule.SLOW)
                .filter(behaviour -> isInfiniBand() || behaviour.schedule() != Schedule.INFINIBAND)
                .toList();
    }

    private static List<Behaviour> of(List<Behaviour> behaviours, Part part) {
        return behaviours.stream()
                .filter(behaviour -> (behaviour.schedule() == Schedule.OWN_GUEST) == (part == Part.OWN_GUEST))
                .toList();
    }

    private void checkKernel() {
        try {
            KernelRelease.of(kernel);
        } catch (TestbedException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private void checkDevice() {
        require(List.of("rxe", IB).contains(device), "--device takes rxe or ib, not " + device);
        if (device.equals(IB)) {
            require(!where.equals(HOST), "--device ib cannot be combined with --on host");
            where = UML;
        }
    }

    private int recordHere(Part here, Set<Situation> places, List<Behaviour> chosen) throws Exception {
        Recorder recorder = new Recorder(out());
        if (here == Part.SHARED) {
            recorder.recordSituations(places, passes, quick);
        }
        List<String> stopped = recorder.recordBehaviours(of(chosen, here));
        recorder.write(directory);
        if (!stopped.isEmpty()) {
            err().println("semantics: the experiments of these behaviours could not go on: "
                    + String.join(", ", stopped));
            return FAILURE;
        }
        return 0;
    }

    private int boot(Part inside) throws IOException {
        Path shared = directory.toRealPath();
        List<String> inGuest =
                new ArrayList<>(List.of("record", "--inside", inside.name(), "--tables", shared.toString()));
        inGuest.addAll(List.of("--passes", String.valueOf(passes)));
        if (quick) {
            inGuest.add("--quick");
        }
        situations.forEach(name -> inGuest.addAll(List.of("--situation", name)));
        behaviours.forEach(key -> inGuest.addAll(List.of("--behaviour", key)));
        List<String> line = new ArrayList<>(List.of("run", "--share", shared.toString()));
        line.addAll(where.equals(UML) ? List.of("--on", UML) : List.of("--kernel", kernel));
        line.addAll(List.of("--device", device));
        line.addAll(List.of("--parallel", "--timeout", GUEST_LIMIT_SECONDS, "--"));
        line.addAll(GuestRun.commandLine(SemanticsMain.class.getName(), GuestRun.SHORT_LIVED, inGuest));
        return TestbedMain.run(line);
    }

    /** Records on the running kernel; runs in the guest. */
    private static final class Recorder {
        private final PrintWriter progress;
        private final Table table = new Table(KernelSeries.runningRelease());

        Recorder(PrintWriter progress) {
            this.progress = progress;
        }

        /** Records the situations {@code passes} times, what takes minutes once or not at all. */
        void recordSituations(Set<Situation> situations, int passes, boolean quick) throws Exception {
            for (int pass = 0; pass < passes && !situations.isEmpty(); pass++) {
                say("pass " + (pass + 1) + " of " + passes + " through " + situations.size() + " situations");
                table.addAll(Recording.record(situations, pass == 0 && !quick));
            }
        }

        /** Runs the experiments of these behaviours; returns the keys of those whose experiment could not go on. */
        List<String> recordBehaviours(List<Behaviour> behaviours) throws Exception {
            if (behaviours.isEmpty()) {
                return List.of();
            }
            Net.setUp();
            List<String> stopped = new ArrayList<>();
            Map<Behaviour, Await.Running<String>> slow = new LinkedHashMap<>();
            for (Behaviour behaviour : behaviours) {
                if (behaviour.schedule() != Schedule.SLOW) {
                    long begin = System.nanoTime();
                    note(behaviour, begin, Trial.observe(behaviour), stopped);
                }
            }
            long start = System.nanoTime();
            behaviours.stream()
                    .filter(behaviour -> behaviour.schedule() == Schedule.SLOW)
                    .forEach(behaviour -> slow.put(behaviour, Await.inThread(() -> Trial.observe(behaviour))));
            for (Map.Entry<Behaviour, Await.Running<String>> running : slow.entrySet()) {
                running.getValue().thread().join();
                note(running.getKey(), start, running.getValue().result(), stopped);
            }
            return stopped;
        }

        private void note(Behaviour behaviour, long start, String text, List<String> stopped) {
            if (text.contains(Trial.STOPPED)) {
                stopped.add(behaviour.key());
            } else {
                table.put(behaviour.key(), text);
            }
            say(behaviour.key() + " " + behaviour.verdict(KernelSeries.of(table.release()), text) + ", "
                    + (System.nanoTime() - start) / 1_000_000 + " ms: " + text);
        }

        /** Writes what was recorded to the kernel's table in the directory; keeps the table's other cells. */
        void write(Path directory) throws IOException {
            Path file = Tables.file(directory, KernelSeries.of(table.release()));
            Table all =
                    Files.exists(file) ? Table.parse(Files.readAllLines(file)).updatedWith(table) : table;
            Files.write(file, all.toLines());
            say("kernel " + table.release() + ": " + table.cellCount() + " cells and "
                    + table.behaviours().size() + " behaviours written to " + file);
        }

        private void say(String line) {
            progress.println(line);
            progress.flush();
        }
    }
}
