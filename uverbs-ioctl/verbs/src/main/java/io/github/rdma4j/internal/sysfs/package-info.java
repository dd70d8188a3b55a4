// SPDX-License-Identifier: Apache-2.0
/** Reads sysfs as text, numbers and device numbers. */
@NullMarked
package io.github.rdma4j.internal.sysfs;

import org.jspecify.annotations.NullMarked;
