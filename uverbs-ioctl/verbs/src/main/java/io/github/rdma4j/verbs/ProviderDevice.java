// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.internal.discovery.HardwareAddresses;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.ioctl.MappedDoorbells;
import io.github.rdma4j.internal.ioctl.PostSendDoorbell;
import io.github.rdma4j.internal.ioctl.RingPages;
import io.github.rdma4j.internal.memory.KernelMapping;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.netlink.Vlans;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.Doorbell;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The provider's view of the open device. It does not reference the {@link DeviceContext}, which may become garbage
 * before the rings.
 *
 * @param kernel the source of memory
 * @param device the device that discovery found
 * @param fd the descriptor of the open device
 * @param control the commands
 * @param holds the doorbells' holds on {@code fd}
 */
record ProviderDevice(Kernel kernel, RdmaDevice device, KernelFd fd, ControlPath control, Set<KernelFd.Hold> holds)
        implements Device {
    ProviderDevice(Kernel kernel, RdmaDevice device, KernelFd fd, ControlPath control) {
        this(kernel, device, fd, control, ConcurrentHashMap.newKeySet());
    }

    @Override
    public RingMemory map(long offset, int length, String what) throws RdmaException {
        return new RingPages(KernelMapping.map(kernel, fd, offset, length, what));
    }

    @Override
    public RingMemory mapReadOnly(long offset, int length, String what) throws RdmaException {
        return new RingPages(KernelMapping.mapReadOnly(kernel, fd, offset, length, what));
    }

    @Override
    public DoorbellPage mapDoorbells(long offset, int length, String what) throws RdmaException {
        return new MappedDoorbells(KernelMapping.map(kernel, fd, offset, length, what));
    }

    @Override
    public RingMemory allocate(int bytes, String what) throws RdmaException {
        return new RingPages(KernelMapping.own(kernel, bytes, what));
    }

    @Override
    public int pageSize() {
        return LinuxKernel.of(kernel).syscalls().pageSize();
    }

    @Override
    public Doorbell postSend(int qpHandle) {
        return new PostSendDoorbell(fd, qpHandle, holds);
    }

    @Override
    public void requestNotification(int cqHandle, boolean solicitedOnly) throws ErrnoException {
        control.requestNotification(cqHandle, solicitedOnly);
    }

    @Override
    public void leaveOldRing(int cqHandle) throws ErrnoException {
        control.pollCq(cqHandle);
    }

    @Override
    public DriverMethod driverMethod(int object, int method, String name) {
        return control.driverMethod(object, method, name);
    }

    @Override
    public byte[] hardwareAddress(AhAttr to) throws RdmaException {
        return HardwareAddresses.of(kernel, to.dgid(), sourceOf(to));
    }

    @Override
    public int vlan(AhAttr to) throws RdmaException {
        return Vlans.of(kernel, sourceOf(to).netdevIfindex());
    }

    private GidEntry sourceOf(AhAttr to) throws RdmaException {
        for (GidEntry source : queryGids()) {
            if (source.portNum() == to.portNum() && source.gidIndex() == to.sgidIndex()) {
                return source;
            }
        }
        throw new ErrnoException(
                "the MAC address of " + to.dgid(),
                Errno.EINVAL,
                "port " + to.portNum() + " has no source GID with index " + to.sgidIndex());
    }

    @Override
    public Held allocatePd(DriverExchange driver) throws ErrnoException {
        Created.Pd domain = control.allocPd(driver);
        return new Owned(control, ControlPath.Kind.PD, domain.handle(), domain.driverReply());
    }

    @Override
    public Held register(Held pd, RingMemory memory, int bytes, DriverExchange driver) throws RdmaException {
        Objects.checkFromIndexSize(0, bytes, memory.buffer().capacity());
        long address = NativeMemory.address(memory.buffer());
        RegMr command = new RegMr(address, bytes, address, pd.handle(), Access.LOCAL_WRITE.code());
        try {
            int region = control.regMr(command, driver).mrHandle();
            return new Owned(control, ControlPath.Kind.MR, region, StructFields.allocate(0));
        } catch (ErrnoException e) {
            throw LockedMemory.explain(kernel, e, " of the " + bytes + " bytes of a queue");
        }
    }

    @Override
    public PortAttr queryPort(int port) throws ErrnoException {
        return control.queryPort(port);
    }

    @Override
    public boolean isIwarp() {
        return device.nodeType() == RdmaDevice.NodeType.RNIC;
    }

    @Override
    public List<GidEntry> queryGids() throws RdmaException {
        Optional<List<GidEntry>> table = control.queryGidTable();
        return table.isPresent() ? table.get() : Discovery.gidTable(kernel, device);
    }

    /** An object of the kernel for a provider's rings. */
    private record Owned(ControlPath control, ControlPath.Kind kind, int handle, ByteBuffer driverReply)
            implements Held {
        @Override
        public void release() {
            try {
                control.destroy(kind, handle);
            } catch (ErrnoException | IllegalStateException e) {
                // The device was removed or its descriptor closed: the kernel has already destroyed the object, or
                // will.
            }
        }
    }
}
