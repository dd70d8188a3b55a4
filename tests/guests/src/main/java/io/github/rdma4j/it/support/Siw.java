// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

/** The soft-iWARP device of a guest with {@code --device siw}; it has the addresses of {@link Rxe}. */
public final class Siw {
    public static final String DEVICE = "siw0";

    private Siw() {}
}
