// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.verify;

import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.RandomScript;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A random script, and what a device sees of it from the provider in Java and from the library in C.
 *
 * @param script what the script is made from
 * @param java the lines of the script, and below each line what came of it in Java
 * @param c the same in C
 */
public record Comparison(Script script, List<String> java, List<String> c) {
    private static final String OUTPUT = "  ";
    private static final String CONTEXT = "context ";

    /** Plays a script on the library in C. */
    @FunctionalInterface
    public interface Peer {
        /** The script, and below each line what came of it. */
        List<String> play(Mode mode, List<String> script) throws IOException, InterruptedException;
    }

    /** Makes a script and plays it on both. */
    public static Comparison of(Script of, Peer peer) throws IOException, InterruptedException {
        RandomScript script = new RandomScript(of.mode(), of.seed(), of.life());
        script.extend(of.lines());
        return new Comparison(of, script.transcript(), peer.play(of.mode(), script.script()));
    }

    /** The lines of the script. */
    public long operations() {
        return java.stream().filter(Comparison::isOperation).count();
    }

    /** What differs first, with both sides and what led to it; empty when nothing does. */
    public Optional<String> difference() {
        for (int i = 0; i < Math.max(java.size(), c.size()); i++) {
            String ours = line(java, i);
            String theirs = line(c, i);
            if (!ours.equals(theirs)) {
                return Optional.of(describe(i, ours, theirs));
            }
        }
        return Optional.empty();
    }

    private static String line(List<String> lines, int index) {
        return index < lines.size() ? lines.get(index) : OUTPUT + "(the output has ended)";
    }

    private static boolean isOperation(String line) {
        return !line.startsWith(OUTPUT) && !line.startsWith(CONTEXT);
    }

    private String describe(int at, String ours, String theirs) {
        List<String> text = new ArrayList<>();
        text.add(script + ", line " + (at + 1) + " of the output");
        lastOperation(at).ifPresent(operation -> {
            madeBy(operation, at).ifPresent(line -> text.add("  queue:     " + line));
            text.add("  operation: " + operation);
        });
        int same = Arrays.mismatch(ours.toCharArray(), theirs.toCharArray());
        text.add("  Java: " + ours);
        text.add("  C:    " + theirs);
        text.add("        " + " ".repeat(Math.max(0, same)) + "^");
        return String.join(System.lineSeparator(), text);
    }

    private Optional<String> lastOperation(int at) {
        for (int i = Math.min(at, java.size() - 1); i >= 0; i--) {
            if (isOperation(java.get(i))) {
                return Optional.of(java.get(i));
            }
        }
        return Optional.empty();
    }

    /** The line that made the queue that {@code operation} names. */
    private Optional<String> madeBy(String operation, int before) {
        String[] words = operation.split(" ", -1);
        String name = words.length > 1 ? " " + words[1] + " " : " ";
        for (String kind : List.of("qp", "srq", "cq")) {
            for (int i = Math.min(before, java.size()) - 1; i >= 0; i--) {
                if (java.get(i).startsWith(kind + name) && !java.get(i).equals(operation)) {
                    return Optional.of(java.get(i));
                }
            }
        }
        return Optional.empty();
    }
}
