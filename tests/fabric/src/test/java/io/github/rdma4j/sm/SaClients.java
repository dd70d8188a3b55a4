// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.MadTransport;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Clients for tests. */
final class SaClients {
    /** Patient with a slow machine; OpenSM answers within a millisecond if it is well. */
    static final SaOptions PATIENT =
            SaOptions.builder().firstTimeout(Duration.ofSeconds(5)).build();

    private SaClients() {}

    static SaClient over(MadTransport transport) {
        return over(transport, PATIENT);
    }

    static SaClient over(MadTransport transport, SaOptions options) {
        try {
            return SaClient.over(transport, options);
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }
}
