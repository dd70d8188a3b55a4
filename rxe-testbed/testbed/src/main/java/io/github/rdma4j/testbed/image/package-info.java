// SPDX-License-Identifier: Apache-2.0
/** The guest kernel and its initramfs: downloaded from Debian, unpacked, sealed and kept in the cache. */
@NullMarked
package io.github.rdma4j.testbed.image;

import org.jspecify.annotations.NullMarked;
