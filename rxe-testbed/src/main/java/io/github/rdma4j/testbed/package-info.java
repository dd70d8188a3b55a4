// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a command in a QEMU guest that sees this machine's file system and has a working soft-RoCE device. It uses nothing
 * but the JDK, so that {@code bin/java} needs only these classes.
 *
 * <p>Three wings stand on {@code testbed.host}: {@code testbed.image}, {@code testbed.qemu} and {@code testbed.guest}, each of
 * which may use those before it.
 */
@NullMarked
package io.github.rdma4j.testbed;

import org.jspecify.annotations.NullMarked;
