// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.DeviceContext;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Scenarios of a device: that of the running kernel, unless a subclass has another. */
abstract class DeviceScenarios {
    /** Connects two ends, set up as {@code change} says. */
    Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
        return change.apply(Loopback.setup()).connect();
    }

    /** Opens the device for datagrams. */
    Datagrams openDevice() throws Exception {
        return Datagrams.open();
    }

    /** A new context of the device. */
    DeviceContext openContext() throws Exception {
        return DeviceContext.open(Rxe.DEVICE);
    }

    /** The kernel or the device refuses an argument. */
    static void assertInvalid(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }
}
