// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.docker.AttachedContainer;
import io.github.rdma4j.testbed.docker.MachineImage;
import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.machine.Devices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/** The JVM in the guest of a container. */
final class ContainedGuest implements WorkerPlace.Running {
    private static final int FIRST_FAILURE = 121;
    private static final int LAST_FAILURE = TestbedException.EXIT_STATUS;
    private static final int KILLED = 128 + 9;
    private static final String TESTBED = "testbed: ";
    private static final String KERNEL_LINE = "  | ";

    private final AttachedContainer container;

    private ContainedGuest(AttachedContainer container) {
        this.container = container;
    }

    /** Starts a container with the programs of this machine. */
    static WorkerPlace.Running start(GuestSpec spec, JvmCommand command) throws TestbedException, InterruptedException {
        AttachedContainer.requireEngine();
        Backend kind = ContainerPlace.kind(spec, MachineImage.kind());
        KernelRelease release = spec.kernel().isEmpty() ? KernelRelease.DEFAULT : KernelRelease.of(spec.kernel());
        MachineImage.prepare(kind, release, Devices.valueOf(spec.device().name()));
        try {
            return start(spec, kind, command);
        } catch (IOException | RuntimeException e) {
            throw new TestbedException("the container for the tests cannot be started: " + cause(e), e);
        }
    }

    private static WorkerPlace.Running start(GuestSpec spec, Backend kind, JvmCommand command)
            throws TestbedException, IOException {
        AttachedContainer container = new AttachedContainer(MachineImage.build())
                .withImagePullPolicy(image -> false)
                .withEnv(MachineImage.CACHE_VARIABLE, MachineImage.CACHE);
        Map<String, String> ofTheMachine = MachineImage.mounts();
        ofTheMachine.forEach((from, to) -> container.withMount(from, to, false));
        MountPlan.of(command, ofTheMachine.values())
                .forEach(path -> container.withMount(path.toString(), path.toString(), false));

        List<String> tuning = new ArrayList<>(kind == Backend.UML ? GuestPlace.AT_FULL_SPEED : GuestPlace.EMULATED);
        OptionalInt debugger = DebuggedJvm.wantedPort();
        if (debugger.isPresent()) {
            tuning.addAll(DebuggedJvm.options());
        }
        List<String> words = command.words(tuning);
        List<String> line = new ArrayList<>(List.of(MachineImage.PROGRAM, "run", "--parallel", "--on", kind.label()));
        line.addAll(options(spec));
        MountPlan.shares().map(Path::toString).forEach(share -> {
            line.addAll(List.of("--share", share));
            container.withMount(share, share, true);
        });
        line.add("--");
        line.addAll(environment(container));
        line.addAll(debugger.isPresent() ? ExecClient.serverCommandLine() : words);
        container.setCommand(line.toArray(String[]::new));
        container.withWorkingDirectory(Path.of("").toAbsolutePath().toString());
        container.start();
        ContainedGuest guest = new ContainedGuest(container);
        return debugger.isPresent() ? DebuggedJvm.start(guest, words, debugger.getAsInt()) : guest;
    }

    /** The attributes of a test as options of {@code testbed run}. */
    static List<String> options(GuestSpec spec) {
        List<String> options = new ArrayList<>(List.of("--nodes", String.valueOf(spec.nodes())));
        if (!spec.kernel().isEmpty()) {
            options.addAll(List.of("--kernel", spec.kernel()));
        }
        if (spec.memoryMib() != 0) {
            options.addAll(List.of("--memory", String.valueOf(spec.memoryMib())));
        }
        if (spec.device() == Testbed.Device.NONE) {
            options.add("--no-rxe");
        } else {
            options.addAll(List.of("--device", spec.device().name().toLowerCase(Locale.ROOT)));
        }
        return options;
    }

    // Not all variables here, because every user of the machine can read command lines.
    private static List<String> environment(AttachedContainer container) {
        List<String> words = new ArrayList<>(List.of("env", "-u", MachineImage.CACHE_VARIABLE));
        ContainerPlace.environment(System.getenv()).forEach((name, value) -> {
            if (ContainerPlace.isOnlyForTheGuest(name)) {
                words.add(name + "=" + value);
            } else {
                container.withEnv(name, value);
            }
        });
        return words;
    }

    // Testcontainers wraps the engine's exception.
    private static String cause(Throwable thrown) {
        Throwable first = thrown;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return String.valueOf(first.getMessage());
    }

    /** The end of the guest, from the status of {@code testbed run} and the last lines of its standard error. */
    static WorkerPlace.End end(OptionalInt status, String errors) {
        if (status.isEmpty()) {
            return new WorkerPlace.End("the container has ended, and the engine does not say how", List.of());
        }
        int number = status.getAsInt();
        List<String> lines = errors.lines().toList();
        int last = lines.size() - 1;
        while (last >= 0 && !lines.get(last).contains(TESTBED)) {
            last--;
        }
        if (number < FIRST_FAILURE || number > LAST_FAILURE || last < 0) {
            String who = number == KILLED ? "the JVM in the guest, or its container," : "the JVM in the guest";
            return WorkerPlace.End.ofJvm(who, number);
        }
        int first = last;
        while (first > 0 && lines.get(first - 1).startsWith(KERNEL_LINE)) {
            first--;
        }
        List<String> kernel = lines.subList(first, last).stream()
                .map(line -> line.substring(KERNEL_LINE.length()))
                .toList();
        String reason = String.join("\n", lines.subList(last, lines.size()));
        return new WorkerPlace.End(reason.substring(reason.indexOf(TESTBED) + TESTBED.length()), kernel);
    }

    @Override
    public WorkerPlace.Streams streams() {
        return new WorkerPlace.Streams(container.input(), container.output(), container.error());
    }

    @Override
    public WorkerPlace.End awaitEnd() throws InterruptedException {
        return end(container.awaitEnd(), container.getLogs());
    }

    @Override
    public void kill() {
        container.kill();
    }
}
