// SPDX-License-Identifier: Apache-2.0
/**
 * Guests with a working soft-RoCE device that see this machine's file system, in User Mode Linux or QEMU. The package
 * uses only the JDK, so {@code bin/java} needs no other classes.
 *
 * <p>The packages depend on each other in this order: {@code testbed.guest} uses {@code testbed.qemu} and {@code
 * testbed.uml}, both use {@code testbed.machine} and {@code testbed.image}, and all use {@code testbed.host}. {@code
 * testbed.exec} runs commands in a guest.
 */
@NullMarked
package io.github.rdma4j.testbed;

import org.jspecify.annotations.NullMarked;
