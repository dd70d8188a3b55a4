// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/** The providers on the class path. */
final class Providers {
    private Providers() {}

    /** The drivers whose providers are in a separate jar. */
    private static final Set<Integer> CARDS = Set.of(
            DriverIds.RDMA_DRIVER_MLX4,
            DriverIds.RDMA_DRIVER_MLX5,
            DriverIds.RDMA_DRIVER_IRDMA,
            DriverIds.RDMA_DRIVER_BNXT_RE,
            DriverIds.RDMA_DRIVER_ERDMA,
            DriverIds.RDMA_DRIVER_VMW_PVRDMA);

    /** System property that enables mapped doorbells on a processor on which no card has proven them. */
    static final String UNPROVEN = "rdma4j.unproven.doorbells";

    /** Returns the driver's part of GET_CONTEXT. Without a provider, the context cannot create queues. */
    static Creation<ByteBuffer, DriverContext> context(ProviderDevice open) {
        RdmaDevice device = open.device();
        Optional<String> objection = objection(device, System.getProperty("os.arch"));
        return objection.isEmpty()
                ? find(device).orElseThrow().context(open)
                : QueuelessDriver.context(device, objection.get());
    }

    private static Optional<Provider> find(RdmaDevice device) {
        return Installed.PROVIDERS.stream()
                .filter(provider -> provider.driverId() == device.driverId())
                .findFirst();
    }

    /** Returns the reason why programs cannot use queues of the device on a processor; empty if they can. */
    static Optional<String> objection(RdmaDevice device, String processor) {
        Optional<Provider> found = find(device);
        if (found.isEmpty()) {
            return Optional.of(
                    CARDS.contains(device.driverId())
                            ? "its provider is in rdma4j-cards, which is neither on the class path nor on the module path"
                            : "there is no provider for it");
        }
        Provider provider = found.get();
        int abi = device.driverAbi();
        if (abi < provider.oldestDriverAbi() || abi > provider.newestDriverAbi()) {
            return Optional.of(
                    "its provider supports ABI " + provider.oldestDriverAbi() + " to " + provider.newestDriverAbi());
        }
        if (provider.ringsMappedDoorbells() && !processor.equals("amd64") && !Boolean.getBoolean(UNPROVEN)) {
            return Optional.of("the order of its doorbells is not proven on " + processor + " (docs/providers.md); -D"
                    + UNPROVEN + "=true enables them");
        }
        return Optional.empty();
    }

    /** Returns true if programs can use queues of the device. */
    static boolean hasDataPath(RdmaDevice device) {
        return objection(device, System.getProperty("os.arch")).isEmpty();
    }

    private static final class Installed {
        static final List<Provider> PROVIDERS =
                ServiceLoader.load(Provider.class, Providers.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }
}
