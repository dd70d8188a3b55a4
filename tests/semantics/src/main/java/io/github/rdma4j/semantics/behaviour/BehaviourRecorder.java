// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import io.github.rdma4j.semantics.guest.Await;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays scripts on the running kernel and writes what they saw into the file of its series. To be run in a guest of the
 * testbed: {@code quick}, {@code slow} and {@code removal} name the scripts, a list of keys some of them.
 *
 * <pre>{@code
 * testbed run --kernel 6.12 --share DIR -- java -cp ... BehaviourRecorder DIR quick
 * }</pre>
 */
public final class BehaviourRecorder {
    private BehaviourRecorder() {}

    /** Directory, then what to play. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> seen = new LinkedHashMap<>();
        setUpOnce();
        for (String what : List.of(arguments).subList(1, arguments.length)) {
            switch (what) {
                case "quick" -> oneByOne(Behaviours.ofPace(Pace.QUICK), seen);
                case "slow" -> together(Behaviours.ofPace(Pace.SLOW), seen);
                case "removal" -> oneByOne(Behaviours.ofPace(Pace.OWN_GUEST), seen);
                default -> oneByOne(List.of(Behaviours.of(what)), seen);
            }
        }
        write(Path.of(arguments[0]), seen, false);
        write(Path.of(arguments[0]), seen, true);
        System.exit(0); // a script that stopped may have left a thread in the kernel
    }

    /** Two recorders may run side by side, quick and slow scripts in one guest. */
    private static void setUpOnce() throws Exception {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "behaviour-recorder.lock");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (lock.isValid()) {
                Net.setUp();
            }
        }
    }

    private static void write(Path directory, Map<String, String> seen, boolean removal) throws IOException {
        Map<String, String> own = new LinkedHashMap<>(seen);
        own.keySet().removeIf(key -> (Behaviours.of(key).pace() == Pace.OWN_GUEST) != removal);
        Path file = directory.resolve(Observations.fileName(Kernels.running(), removal));
        if (!own.isEmpty()) {
            Files.writeString(file, Observations.read(file).with(own).text());
        }
    }

    private static void oneByOne(List<Behaviour> behaviours, Map<String, String> seen) {
        for (Behaviour behaviour : behaviours) {
            long start = System.nanoTime();
            note(behaviour, Stage.play(behaviour), start, seen);
        }
    }

    private static void together(List<Behaviour> behaviours, Map<String, String> seen) throws Exception {
        Map<Behaviour, Await.Running<String>> running = new LinkedHashMap<>();
        long start = System.nanoTime();
        behaviours.forEach(b -> running.put(b, Await.inThread(() -> Stage.play(b))));
        for (Map.Entry<Behaviour, Await.Running<String>> entry : running.entrySet()) {
            entry.getValue().thread().join();
            note(entry.getKey(), entry.getValue().result(), start, seen);
        }
    }

    private static void note(Behaviour behaviour, String text, long start, Map<String, String> seen) {
        seen.put(behaviour.key(), text);
        Verdict verdict = behaviour.verdict(Kernels.running(), text);
        System.out.println(
                behaviour.key() + "\t" + (System.nanoTime() - start) / 1_000_000 + " ms\t" + verdict + "\t" + text);
    }
}
