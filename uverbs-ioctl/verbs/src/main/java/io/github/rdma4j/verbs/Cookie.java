// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/** The number by which the kernel names a queue in events, as a key: a look-up sets the number and allocates nothing. */
final class Cookie {
    private long number;

    Cookie(long number) {
        this.number = number;
    }

    /** Not for a key that is in a map. */
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
