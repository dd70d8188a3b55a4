// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import java.util.List;
import java.util.stream.Stream;

/** The data path: every operation of every type of queue pair, Java to Java, without the connection manager. */
final class Matrix {
    private static final String IWARP = "iw";

    private Matrix() {}

    static List<Check> checks() {
        return Stream.of(
                        ConnectedChecks.all(),
                        RingChecks.all(),
                        ErrorChecks.all(),
                        DatagramChecks.all(),
                        SharedReceiveChecks.all(),
                        EventChecks.all())
                .flatMap(List::stream)
                .map(Matrix::exceptOnIwarp)
                .toList();
    }

    private static Check exceptOnIwarp(Check check) {
        return new Check(check.name(), check.limit(), card -> {
            if (card.device().protocol().equals(IWARP)) {
                throw new LeftOutException("not on this device: iWARP connects by the connection manager only");
            }
            return check.body().run(card);
        });
    }
}
