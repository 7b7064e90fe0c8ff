package dev.ratelimit.aspect;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.stereotype.Component;

/**
 * Looks in the packages of the application for classes that are annotated but are no
 * bean's type, so that their limits do nothing. A component may be missing on purpose (in
 * another profile), and is not looked for.
 */
final class UnmanagedClassesCheck extends ClassPathScanningCandidateComponentProvider {

	private static final String ANNOTATION = RateLimited.class.getName();

	private final Collection<String> beanClasses;

	UnmanagedClassesCheck(ResourceLoader resourceLoader, Set<String> beanClasses) {
		super(false);
		this.beanClasses = beanClasses;
		setResourceLoader(resourceLoader);
		addIncludeFilter(this::isAnnotated);
	}

	/**
	 * Returns the names of such classes.
	 */
	List<String> find(Collection<String> packages) {
		return packages.stream()
			.flatMap((name) -> findCandidateComponents(name).stream())
			.map(BeanDefinition::getBeanClassName)
			.sorted()
			.toList();
	}

	private boolean isAnnotated(MetadataReader reader, MetadataReaderFactory factory) {
		AnnotationMetadata metadata = reader.getAnnotationMetadata();
		return (metadata.isAnnotated(ANNOTATION) || metadata.hasAnnotatedMethods(ANNOTATION))
				&& !metadata.isAnnotated(Component.class.getName());
	}

	@Override
	protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
		return super.isCandidateComponent(definition) && !this.beanClasses.contains(definition.getBeanClassName());
	}

}
