// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

/** A program that {@link ProcessorsIT} runs in a guest: it writes to address 0. */
final class CrashingJvm {
    private CrashingJvm() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        var instance = type.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        type.getMethod("putByte", long.class, byte.class).invoke(instance.get(null), 0L, (byte) 1);
    }
}
