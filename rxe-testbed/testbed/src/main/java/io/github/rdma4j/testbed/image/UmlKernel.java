// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel of User Mode Linux guests in the cache. No distribution ships such a kernel with RDMA, so it is built from
 * Debian's source with the testbed's configuration, and with InfiniBand in software in its driver rxe.
 */
public final class UmlKernel {
    /**
     * The kernel whose source is built: the earliest kernel with the seccomp mode, which doubles the speed of a guest.
     */
    static final KernelRelease RELEASE = KernelRelease.SID;

    static final String KERNEL = "linux";

    private UmlKernel() {}

    /** The kernel series, such as {@code 7.2}. */
    public static String series() {
        return RELEASE.series();
    }

    /** Whether the kernel has been built. */
    public static boolean isIn(CacheDirectory cache) {
        return Files.isDirectory(cache.root().resolve(entry()));
    }

    /**
     * Finds the kernel.
     *
     * @throws TestbedException if the kernel has not been built; the message says how to build it
     */
    public static KernelImage find(Workshop shop) throws TestbedException, InterruptedException {
        CacheDirectory cache = shop.cache();
        if (!isIn(cache)) {
            throw new TestbedException("the kernel of User Mode Linux is not in the cache " + cache.root()
                    + ". Build it, which takes 4 to 10 minutes and 2 GB of space for that time:"
                    + " ./rdma4j testbed setup --on uml. Or use QEMU: --on vm");
        }
        Path home = cache.root().resolve(entry());
        CacheDirectory.touch(home);
        try {
            var damage = new CacheSeal.Check(KERNEL, false, shop.progress()).damage(home);
            if (damage.isPresent()) {
                throw new TestbedException("the cache entry " + home + " is damaged (" + damage.get()
                        + "). Build it again: ./rdma4j testbed setup --on uml");
            }
        } catch (IOException e) {
            throw new TestbedException("cannot read the cache entry " + home + ": " + e.getMessage(), e);
        }
        return image(home, shop);
    }

    /** Finds the kernel, reads all of its files, and builds a missing or damaged kernel. */
    public static KernelImage build(Workshop shop) throws TestbedException, InterruptedException {
        CacheSeal.Check check = new CacheSeal.Check(KERNEL, true, shop.progress());
        Path home = shop.cache().entry(entry(), check, target -> new UmlBuild(target, shop).run());
        shop.cache().prune(entryOfAny(), home, KernelImage.OLD_KERNEL);
        return image(home, shop);
    }

    /** The package whose source is built. */
    static AptRoot.PinnedPackage source() {
        String name = BuiltModule.sourceName(series());
        return KernelPins.of(RELEASE).packages(KernelPackages.Group.SOURCE).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static KernelImage image(Path home, Workshop shop) throws TestbedException, InterruptedException {
        try {
            Path modules = KernelImage.modulesIn(home);
            Path initramfs = Initramfs.ofUml(modules).entry("initramfs-uml-", fingerprint() + "-", false, shop);
            return new KernelImage(
                    home.resolve(KERNEL), initramfs.resolve(Initramfs.FILE), modules, Architecture.AMD64, null);
        } catch (IOException e) {
            throw new TestbedException("the cache entry " + home + " is damaged, remove it: " + e, e);
        }
    }

    /** The name of the cache entry; another configuration, module or source makes another entry. */
    public static String entry() {
        return entryOfAny() + fingerprint();
    }

    /** The begin of the names of all kernels of the series. */
    private static String entryOfAny() {
        return "uml-" + series() + "-";
    }

    private static String fingerprint() {
        String sources =
                KernelPins.of(RELEASE).packages(KernelPackages.Group.SOURCE).toString();
        int hash = 31 * sources.hashCode() + SoftibSource.fingerprint();
        return Integer.toHexString(Resource.hash(hash, UmlBuild.OWN));
    }
}
