// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The checks of the data path: every operation of every type of queue pair, where possible without the connection
 * manager.
 */
final class Matrix {
    private static final Set<Errno> UNSUPPORTED = Set.of(Errno.EOPNOTSUPP, Errno.ENOTSUPP);

    private Matrix() {}

    static List<Check> checks(Card card) {
        return Stream.of(
                        ConnectedChecks.all(),
                        RingChecks.all(),
                        card.isIwarp() ? TerminationChecks.all() : ErrorChecks.all(),
                        DatagramChecks.all(),
                        SharedReceiveChecks.all(),
                        EventChecks.all(),
                        PingpongChecks.all())
                .flatMap(List::stream)
                .map(check -> new Check(check.name(), check.limit(), device -> run(check, device)))
                .toList();
    }

    /** Runs a check; if the driver reports a missing feature, the check is left out. */
    private static String run(Check check, Card card) throws Exception {
        try {
            return check.body().run(card);
        } catch (ErrnoException e) {
            if (UNSUPPORTED.contains(e.errno())) {
                throw notHere(e);
            }
            throw e;
        } catch (UnsupportedByKernelException e) {
            throw notHere(e);
        }
    }

    private static Check.LeftOutException notHere(Exception refusal) {
        return new Check.LeftOutException("not on this device: " + refusal.getMessage());
    }
}
