// SPDX-License-Identifier: Apache-2.0
/** What users get: jars that are modules, and what is deployed to a repository. */
@NullMarked
package io.github.rdma4j.artifacts;

import org.jspecify.annotations.NullMarked;
