// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/**
 * The number by which kernel events identify a queue, as a map key that can be reused for lookups without allocation.
 */
final class Cookie {
    private long number;

    Cookie(long number) {
        this.number = number;
    }

    /** Changes the number. Not allowed for a key that is in a map. */
    Cookie set(long other) {
        number = other;
        return this;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cookie cookie && cookie.number == number;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }
}
