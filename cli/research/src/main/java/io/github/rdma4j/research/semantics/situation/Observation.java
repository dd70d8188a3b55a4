// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

/**
 * The outcome of a command in a situation.
 *
 * @param result {@code OK}, with what the reply says where it says something, or the name of the error
 * @param events of the id, fetched between the command and the fence
 * @param peer events of the other end, the same
 * @param later what a timer brought after the fence, of the id and of the other end
 */
public record Observation(String result, String events, String peer, String later) implements Comparable<Observation> {
    public static final String NONE = "-";

    /** No command was given and nothing came. */
    public static final Observation EVENTLESS = new Observation(NONE, NONE, NONE, NONE);

    Observation withLater(String text) {
        return new Observation(result, events, peer, later.equals(NONE) ? text : later + " " + text);
    }

    public boolean isOk() {
        return result.startsWith("OK");
    }

    @Override
    public String toString() {
        return result + "; events " + events + "; peer " + peer + "; later " + later;
    }

    /** The order of their texts. */
    @Override
    public int compareTo(Observation other) {
        return toString().compareTo(other.toString());
    }
}
