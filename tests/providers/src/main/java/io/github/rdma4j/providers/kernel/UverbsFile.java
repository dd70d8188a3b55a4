// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.MemoryKernel;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardEvents;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open uverbs device, whose commands come by ioctl(2). */
final class UverbsFile extends OpenFile {
    private static final int INVOKE_WRITE_COMMAND = 2;
    private static final int EXTENDED = 0x8000_0000;
    private static final int BAD_DESCRIPTOR = 9;

    private final Hca hca;
    private final MemoryKernel kernel;
    private final KernelObject.Handles handles = new KernelObject.Handles();
    private final EventFile async = new EventFile();
    private final EventFile.Source deviceEvents = new EventFile.Source();
    private final WriteSet writeSet;
    private final Methods methods;
    private @Nullable UserContext context;

    UverbsFile(Hca hca, MemoryKernel kernel) {
        this.hca = hca;
        this.kernel = kernel;
        this.writeSet = new WriteSet(hca, this);
        this.methods = new Methods(hca, this);
        hca.opened(this);
    }

    KernelObject.Handles handles() {
        return handles;
    }

    EventFile async() {
        return async;
    }

    UserContext context() throws Refusal {
        UserContext made = context;
        if (made == null) {
            throw new Refusal(Errno.EINVAL);
        }
        return made;
    }

    /** Makes the file a context, which is possible once. */
    UserContext makeContext(ByteBuffer driverRequest) throws Refusal {
        Refusal.unless(context == null, Errno.EINVAL);
        UserContext made = hca.settings().open(hca, this, driverRequest);
        context = made;
        return made;
    }

    /** The dma-buf behind a descriptor. */
    CardKernel.DmaBuf dmaBuf(int fd) throws Refusal {
        OpenFile file = kernel.file(fd);
        Refusal.unless(file != null, new Errno(BAD_DESCRIPTOR));
        if (file instanceof CardKernel.DmaBuf buffer) {
            return buffer;
        }
        throw new Refusal(Errno.EINVAL);
    }

    /** The inode of the file behind a descriptor. */
    Object inode(int fd) throws Refusal {
        if (kernel.file(fd) instanceof CardKernel.PlainFile file) {
            return file.inode();
        }
        throw new Refusal(new Errno(BAD_DESCRIPTOR));
    }

    /** The completion channel behind a descriptor. */
    EventFile channel(int fd) throws Refusal {
        if (kernel.file(fd) instanceof EventFile channel) {
            return channel;
        }
        throw new Refusal(Errno.EINVAL);
    }

    List<String> kinds() {
        return handles.kinds();
    }

    @Override
    public long deviceNumber() {
        return Hca.NODE_NUMBER;
    }

    @Override
    public int ioctl(long address) {
        return kernel.locked(() -> carryOut(new IoctlFrame(address)));
    }

    private int carryOut(IoctlFrame frame) {
        try {
            Refusal.unless(frame.isWellFormed() && hca.settings().isCalled(frame.driver()), Errno.EINVAL);
            boolean isWrite = frame.object() == UverbsObjects.UVERBS_OBJECT_DEVICE
                    && frame.method() == UverbsMethods.UVERBS_METHOD_INVOKE_WRITE;
            if (isWrite) {
                invoke(frame);
            } else {
                methods.carryOut(frame);
            }
            return 0;
        } catch (Refusal refusal) {
            return refusal.result();
        }
    }

    /** A command of the write set inside an ioctl; without a request the kernel has no room to read from. */
    private void invoke(IoctlFrame frame) throws Refusal {
        int number = frame.number(INVOKE_WRITE_COMMAND);
        Refusal.unless((number & EXTENDED) == 0, Errno.EOPNOTSUPP);
        WriteCommand<?> command = WriteSet.command(number);
        ByteBuffer core = frame.input(0);
        ByteBuffer reply = frame.output(1);
        Refusal.unless(core.capacity() >= command.requestBytes(), Errno.ENOSPC);
        Refusal.unless(reply.capacity() >= command.replyBytes(), Errno.ENOSPC);
        writeSet.carryOut(
                number, new WriteSet.Request(core, reply, frame.input(Methods.UHW_IN), frame.output(Methods.UHW_OUT)));
    }

    @Override
    public long map(long offset, int length) {
        try {
            hca.admit(KernelCommand.MAP);
            return context().map(offset, length);
        } catch (Refusal refusal) {
            return refusal.result();
        }
    }

    /** Says that the device has failed. */
    void tell(int event) {
        async.async(0, event, deviceEvents);
    }

    /** The device is gone. */
    void lose() {
        if (context != null) {
            context.lose();
        }
        tell(CardEvents.DEVICE_FATAL);
        async.remove();
    }

    @Override
    public void close() {
        handles.destroyAll();
        if (context != null) {
            context.close();
        }
        hca.closed(this);
    }
}
