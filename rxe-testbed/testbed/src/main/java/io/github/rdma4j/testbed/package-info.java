// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a command in a QEMU guest that sees this machine's file system and has a working soft-RoCE device. The package
 * uses only the JDK, so {@code bin/java} needs no other classes.
 *
 * <p>The packages depend on each other in this order: {@code testbed.guest} uses {@code testbed.qemu}, {@code
 * testbed.qemu} uses {@code testbed.image}, and all three use {@code testbed.host}.
 */
@NullMarked
package io.github.rdma4j.testbed;

import org.jspecify.annotations.NullMarked;
