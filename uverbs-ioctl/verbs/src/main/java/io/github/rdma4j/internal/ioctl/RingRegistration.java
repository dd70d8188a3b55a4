// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Device.Held;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.RegMr;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The kernel objects that a provider creates for its rings: a protection domain, and memory regions in it. */
public final class RingRegistration {
    private static final int LOCAL_WRITE = Access.LOCAL_WRITE.code();
    private static final ByteBuffer NO_REPLY = StructFields.allocate(0);

    private RingRegistration() {}

    /** A command that destroys an object. */
    private interface Destruction {
        void destroy(int handle) throws ErrnoException;
    }

    /** A protection domain that is not visible to the program. */
    public static Held domain(ControlPath control, DriverExchange driver) throws ErrnoException {
        Created.Pd domain = control.allocPd(driver);
        return new Owner(control::deallocPd, domain.handle(), domain.driverReply());
    }

    /** A region of the first {@code bytes} of a ring's memory, whose I/O virtual address is the address. */
    public static Held region(ControlPath control, Held pd, RingMemory memory, int bytes, DriverExchange driver)
            throws ErrnoException {
        Objects.checkFromIndexSize(0, bytes, memory.buffer().capacity());
        long address = NativeMemory.address(memory.buffer());
        RegMr.Command command = new RegMr.Command(address, bytes, address, pd.handle(), LOCAL_WRITE);
        return new Owner(control::deregMr, control.regMr(command, driver).mrHandle(), NO_REPLY);
    }

    /** An object of the kernel. */
    private record Owner(Destruction destruction, int handle, ByteBuffer driverReply) implements Held {
        @Override
        public void release() {
            try {
                destruction.destroy(handle);
            } catch (ErrnoException | IllegalStateException e) {
                // The device was removed or its descriptor closed: the kernel has already destroyed the object, or
                // will.
            }
        }
    }
}
