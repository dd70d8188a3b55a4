// SPDX-License-Identifier: Apache-2.0
/** Guest kernels and their initramfs: downloaded from Debian or built, checked, and kept in the cache. */
@NullMarked
package io.github.rdma4j.testbed.image;

import org.jspecify.annotations.NullMarked;
