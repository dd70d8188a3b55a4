// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

/**
 * What a program shows over one transport and not over the other.
 *
 * @param kind what differences with one cause have in common
 */
public record Difference(String kind, String text) {
    static Difference of(String oracle, Outcome right, String compared, Outcome found) {
        StringBuilder text = new StringBuilder();
        String kind = "";
        int count = Math.max(right.lines().size(), found.lines().size());
        for (int i = 0; i < count; i++) {
            String one = i < right.lines().size() ? right.lines().get(i) : "nothing";
            String other = i < found.lines().size() ? found.lines().get(i) : "nothing";
            if (!one.equals(other)) {
                text.append("  ").append(oracle).append(": ").append(one).append('\n');
                text.append("  ").append(compared).append(": ").append(other).append('\n');
                kind = kind.isEmpty() ? (one + " / " + other).replaceAll("[0-9]+", "N") : kind;
            }
        }
        return new Difference(
                kind, text.append(right.details()).append(found.details()).toString());
    }

    @Override
    public String toString() {
        return text;
    }
}
