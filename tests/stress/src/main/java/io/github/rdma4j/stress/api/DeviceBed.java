// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A device of this machine, with its connection manager. */
final class DeviceBed implements Bed {
    /**
     * Soft-RoCE of Linux 7.2 was seen to panic in rxe_invalidate_mw while several threads bound, invalidated and closed
     * windows.
     */
    private static final Set<String> MAY_PANIC =
            Set.of("SendWorkRequest.localInvalidate", "SendWorkRequest.sendWithInvalidate");

    private final String device;
    private final InetAddress ip;
    private final AtomicInteger ports = new AtomicInteger(30_000);

    DeviceBed(String device, String ip) {
        this.device = device;
        try {
            this.ip = InetAddress.getByName(ip);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("--address " + ip + ": no address", e);
        }
    }

    @Override
    public Kernel kernel() {
        return Kernel.running();
    }

    @Override
    public String device() {
        return device;
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress(ip, 30_000 + ports.incrementAndGet() % 20_000);
    }

    @Override
    public List<Object> make() throws Exception {
        DeviceContext context = DeviceContext.open(device);
        List<Object> made = new ArrayList<>(List.of(context));
        try {
            Gid own = Gid.of(ip);
            int index = context.queryGids().stream()
                    .filter(entry -> entry.gid().equals(own))
                    .findFirst()
                    .orElseThrow()
                    .gidIndex();
            made.addAll(CardBed.verbs(context, AhAttr.to(own, index, 1)));
            made.addAll(ModelBed.connections(kernel(), address()));
            return made;
        } catch (Exception e) {
            context.close();
            throw e;
        }
    }

    @Override
    public Set<String> leftOut() {
        return MAY_PANIC;
    }

    /** Descriptors and mappings of RDMA devices in this process. */
    @Override
    public String left() {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            Stream<String> open = descriptors.map(DeviceBed::target);
            Stream<String> mapped = Files.readAllLines(Path.of("/proc/self/maps")).stream();
            return Stream.concat(open, mapped)
                    .filter(line -> line.contains("infiniband"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
